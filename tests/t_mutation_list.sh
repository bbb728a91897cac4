#!/bin/sh
# With the plain build only: the texts of the repository.
exec sh tests/mutation/stale.sh
