#!/bin/bash
# sbatch --array=1-32 docs/slurm-array.sh TABLE: one shard a task; afterwards
#   redblue table --join shard-{1..32}.csv > table.csv
# A task that was ended too soon and runs again keeps its rows.
#SBATCH --job-name=redblue
#SBATCH --time=01:00:00
#SBATCH --cpus-per-task=1
set -eu
i=$SLURM_ARRAY_TASK_ID
redblue table "$1" --shard "$i/$SLURM_ARRAY_TASK_COUNT" --resume "shard-$i.csv" -o "shard-$i.csv" -q
