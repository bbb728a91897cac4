#!/bin/sh
# What every verb shares: help, version, exit codes, suggestions, JSON, a standard output that cannot be written, no colour, manual pages,
# completion; and that every option the documents name is there.
t=$(mktemp -d); passed=0; failed=0
ok() { if [ "$2" = "$3" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED $1: expected '$3', got '$2'"; fi; }
rb() { "$REDBLUE" "$@"; }
verbs=$(rb --help | awk '/^  [a-z]+ +[a-z]/ && $1 != "redblue" { print $1 }')
ok "there are verbs" "$(echo "$verbs" | wc -l)" "$(ls cli/verb_*.c | wc -l)"

# one command of each verb that succeeds; {} is a folder
run_of() {
  case $1 in
  bound) echo "bound matmul:m=4,n=4,k=4 -M 10" ;;
  cdag) echo "cdag matmul:m=4,n=4,k=4" ;;
  check) echo "check $t/certificate" ;;
  count | tune | verify | time) echo "$1 matmul:m=4,n=4,k=4 resident -M 10" ;;
  moves) echo "moves matmul:m=2,n=2,k=2 resident -M 6" ;;
  optimal) echo "optimal matmul:m=2,n=2,k=2 -M 5" ;;
  schedule) echo "schedule grid:r=3,c=3 -M 4 --limit-time 1" ;;
  play) echo "play chain:n=2 -M 2" ;;
  draw) echo "draw tree:h=2 depth-first -M 5 --at 4" ;;
  plot) echo "plot matmul:m=4,n=4,k=4 --sweep M=4..16*2 --columns bound" ;;
  lesson) echo "lesson grid:r=2,c=2 -M 3" ;;
  degree) echo "degree 1 0.001 8" ;;
  table) echo "table --spec chain --sweep n=2..4 --columns 2*n" ;;
  *) echo "$1" ;;
  esac
}
rb bound matmul:m=4,n=4,k=4 -M 10 --certificate "$t/certificate" > /dev/null
printf 'load x[0]\ncompute x[1] dropping x[0]\nstore x[1]\nquit\n' > "$t/in"
for v in $verbs; do
  # shellcheck disable=SC2046
  set -- $(run_of "$v")
  NO_COLOR= rb "$@" < "$t/in" > "$t/out" 2> "$t/err"; ok "$v runs" $? 0
  rb "$@" < "$t/in" 2> /dev/null > /dev/full; ok "$v on a full disk" $? 3
  rb "$@" < "$t/in" 2> "$t/err" >&-; ok "$v with its output closed" $? 3
  TERM=xterm rb "$@" < "$t/in" 2>&1 | grep -c "$(printf '\033')" > "$t/colour"; ok "$v prints no colour" "$(cat "$t/colour")" 0
  rb "$v" --help > "$t/help"; ok "$v --help" $? 0
  ok "$v has an example" "$(grep -c "^\$ redblue $v" "$t/help" | sed 's/^[1-9][0-9]*$/some/')" some
  ok "$v --help fits 80 columns" "$(sed '/^Examples:/,$d' "$t/help" | awk 'length > 80' | wc -l)" 0
  rb help "$v" | cmp -s - "$t/help"; ok "help $v" $? 0
  rb "$v" --no-such-option > /dev/null 2> "$t/err"; ok "$v: an unknown option" $? 2
  rb "$v" --hepl > /dev/null 2> "$t/err"; ok "$v: an option misspelt" "$(grep -c 'did you mean --help?' "$t/err")" 1
  rb "$v" --no-such-option --json 2> /dev/null | grep -c '"error": {"kind": "usage", "message": ' > "$t/json"; ok "$v: the JSON of an error" "$(cat "$t/json")" 1
  rb man "$v" > "$t/$v.page"; ok "man $v" $? 0
  case $v in man | completion | moves | lesson) continue ;; esac # these print no numbers
  rb "$@" --json < "$t/in" > "$t/json" 2> /dev/null; ok "$v --json" $? 0
  tail -1 "$t/json" > "$t/$v.json"
  ok "$v: JSON with its schema" "$(grep -c '^{.*"schema": 1[,}]' "$t/$v.json")" 1
  case $v in families | schedules | bounds | machines) ;; *) ok "$v: numbers with their trust" "$(grep -c '"trust": "' "$t/json")" 1 ;; esac
done
# all of them at once: an interpreter that starts for each takes longer than what it reads
if command -v groff > /dev/null; then ok "the pages are clean" "$(groff -ww -man -Tutf8 "$t"/*.page 2>&1 > /dev/null)" ""; fi
if command -v python3 > /dev/null; then
  ok "JSON reads" "$(python3 -c 'import json, sys
for f in sys.argv[1:]:
  try: json.load(open(f))
  except ValueError as e: print(f, e)' "$t"/*.json 2>&1)" ""
fi
ok "the version" "$(rb --version)" "redblue $(sed -n 's/^VERSION *:= *//p' Makefile)"
rb > /dev/null 2>&1; ok "no verb" $? 2
if command -v groff > /dev/null; then ok "the program's page is clean" "$(rb man | groff -ww -man -Tutf8 2>&1 > /dev/null | wc -l)" 0; fi
ok "it lists every verb" "$(rb man | grep -c '^\.BR redblue')" "$(echo "$verbs" | wc -l)"

rb moves matmul:m=2,n=2,k=2 resident -M 6 --format compact -o "$t/bytes" --json > "$t/json"; ok "moves in bytes, said in JSON" "$(grep -c '"moves": [0-9]*, "bytes": [0-9]*, "error": null' "$t/json")" 1
ok "moves in bytes are a schedule" "$(rb verify matmul:m=2,n=2,k=2 "$t/bytes" -M 6 | head -1 | cut -c1-5)" legal

# exit codes, as `redblue man` explains them
code() { want=$1; shift; rb "$@" > "$t/out" 2> "$t/err" < /dev/null; ok "exit of $*" $? "$want"; }
code 0 verify attention:n=8,d=2 attenio -M 20
code 1 verify attention:n=8,d=2 attenio:a=5 -M 20
code 1 verify attention:n=8,d=2 attenio -M 20 --within 1.01
code 1 optimal matmul:m=2,n=2,k=2 -M 2
sed 's/33024/33025/; s/"value": \([0-9]\)/"value": 9\1/' "$t/certificate" > "$t/damaged"; code 1 check "$t/damaged"
code 2 verify attention:n=8,d=2 attneio -M 20; ok "schedule misspelt" "$(grep -c "did you mean '*attenio" "$t/err")" 1
code 2 bound attnetion:n=8,d=2 -M 20; ok "family misspelt" "$(grep -c "did you mean '*attention" "$t/err")" 1
code 2 bound attention:n=8,dd=2 -M 20; ok "parameter misspelt" "$(grep -c "did you mean" "$t/err")" 1
code 2 bonud; ok "verb misspelt" "$(grep -c "did you mean 'bound'" "$t/err")" 1
code 2 bound attention:n=8,d=2
code 2 bound attention:n=8,d=2 -M x
code 2 bound attention:n=8,d=2 -M 20 --rules palcing
code 2 bound attention:n=8,d=2 --machine a100-smm; ok "machine misspelt" "$(grep -c "did you mean 'a100-sm'" "$t/err")" 1
code 3 verify attention:n=8,d=2 "$t/none.sched" -M 20
printf 'for i in n {\n  lod Q[i,*]\n}\n' > "$t/bad.sched"; code 3 verify attention:n=8,d=2 "$t/bad.sched" -M 20
printf 'not a certificate\n' > "$t/bad"; code 3 check "$t/bad"
code 4 optimal matmul:m=3,n=3,k=3 -M 6 --limit-time 0.05
rb nosuch --json > "$t/json" 2> /dev/null; ok "an unknown verb under --json" "$?$(grep -c '"kind": "usage"' "$t/json")" 21
ok "--memory is --word bytes a word" "$(rb count attention:n=8,d=2 attenio --memory 80 --word 4 --json | grep -o '"memory": 20')" '"memory": 20'

# a schedule written by hand, with the mistakes people make: each sentence says what to do
says() { what=$1; printf '%b' "$2" > "$t/mine.sched"; rb verify attention:n=8,d=2 "$t/mine.sched" -M 9 > "$t/out" 2>&1; ok "says: $what" "$(grep -cF -- "$what" "$t/out")" 1; }
says "did you mean 'load'?" 'laod Q[0,*]\nfor i in n { }\n'
says "did you mean 'Q'?" 'for i in n { load q[i,*] }\n'
says "it has Q, K, V, S, P, L, Z, O" 'for i in n { load queries[i,*] }\n'
says "param b = 2" 'for I in n by b { load Q[I,*] }\n'
says "on chip    8 of Q, 1 of K, at that moment" 'for i in n { load Q[i,*], K[i,0]\nif i > 0 { drop K[i,0] } }\n'
code 2 verify "$t/mine.sched" attention:n=8,d=2 -M 9; ok "says: the wrong way round" "$(grep -c 'the computation comes first' "$t/err")" 1
code 2 verify attention:n=8,d=2 attenio -M; ok "says: the letter that was typed" "$(grep -c ': -M needs a value: WORDS$' "$t/err")" 1
code 2 families chain dot; ok "says: one argument" "$(grep -c 'usage: redblue families \[FAMILY\], for example redblue families$' "$t/err")" 1
ok "one family" "$(rb families chain | head -1; rb families chain | wc -l)" "chain
4"
ok "one bound" "$(rb bounds compulsory --json | grep -c segment)" 0
code 2 families chian; code 2 bounds compulsary
code 2 check; ok "says: an example of its own" "$(grep -c 'for example redblue check ' "$t/err")" 1
printf '3 1\n0 3\n' > "$t/in"; rb cdag - < "$t/in" > "$t/out" 2>&1; ok "says: where, in standard input" "$(grep -c '^redblue: stdin:2:3: ' "$t/out")" 1
rb count matmul:m=2000000,n=2000000,k=2000000 naive -M 10 --formula > "$t/out" 2>&1; ok "says: a formula without a value" "$(grep -c 'no value below 2^63' "$t/out")" 1
code 2 bound attention n=8; ok "says: an example" "$(grep -c 'for example redblue bound ' "$t/err")" 1
code 2 verify attention:n=8,d=2 attenio:zzz=3 -M 20; ok "says: its parameters" "$(grep -c 'it has a$' "$t/err")" 1

# every option the documents show after `redblue` is one
known="
$(sed -n 's/^OPTION([A-Z_]*, "\([a-z-]*\)".*/--\1/p' cli/options.def)
"
for option in $(grep -h 'redblue [a-z]' README.md docs/*.md docs/course/*.md examples/*.sh | grep -o -- ' --[a-z][a-z-]*' | sort -u); do
  case $known in *"
$option
"*) passed=$((passed + 1)) ;; *) ok "documented option $option" "not there" 0 ;; esac
done

# digits in groups: where it is asked for and on a terminal, aligned; not in a pipe, never in JSON
g="matvec:m=3000,n=2000 -M 256"
ok "bound --group" "$(rb bound $g --group --brief | grep -o 'at least [0-9,]* ')" "at least 6,023,785 "
ok "no group in a pipe" "$(rb bound $g --brief | grep -o 'at least [0-9,]* ')" "at least 6023785 "
ok "JSON has numbers" "$(rb bound $g --group --json | grep -c '6,023')" 0
ok "verify --group" "$(rb verify attention:n=8192,d=64 attenio -M 64K --group | grep -c -e 'I/O  *18,874,368 = 18,350,080 loads + 524,288 stores' -e 'computes  *8,724,676,608' -e 'bound  *16,842,752 ')" 3
ok "count --group" "$(rb count attention:n=8192,d=64 attenio -M 64K --group | grep -c 'I/O  *18,874,368 ')" 1
ok "groups are lined up" "$(rb bound $g --group | sed -n '3,9p' | grep -v machine | awk '{ print index($0, $2) }' | sort -u | wc -l)" 1
ok "four digits stay" "$(rb bound matvec:m=60,n=50 -M 50 --group --brief | grep -o 'at least [0-9,]* ')" "at least $(rb bound matvec:m=60,n=50 -M 50 --brief | grep -o 'at least [0-9]*' | grep -o '[0-9]\{4\}$') "

# completion for zsh and fish: every verb with its options; where the shells are there, they read it
for shell in zsh fish; do
  rb completion $shell > "$t/$shell"
  for v in bound lesson verify; do ok "$shell knows $v" "$(grep -c -e "^    '*$v:" -e "-a $v -d" "$t/$shell")" 1; done
  ok "$shell knows an option" "$(grep -c -e '--certificate' -e '-l certificate' "$t/$shell" | sed 's/[1-9][0-9]*/some/')" some
  if command -v $shell > /dev/null; then ok "$shell reads it" "$($shell -n "$t/$shell" 2>&1)" ""; fi
done
if command -v fish > /dev/null; then
  ok "fish completes a verb" "$(HOME=$t fish -N -c "source $t/fish; complete -C 'redblue veri'" | cut -f1)" verify
  ok "fish completes a schedule" "$(HOME=$t fish -N -c "source $t/fish; complete -C 'redblue verify attention:n=4 attenio'" | cut -f1)" attenio
fi
ok "no other shell" "$(rb completion csh > /dev/null 2>&1; echo $?)" 2

# completion, in a real bash
if command -v bash > /dev/null; then
  rb completion > "$t/completion"
  complete() { bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _redblue; printf "%s " "${COMPREPLY[@]}"' - "$t/completion" "$@"; }
  ok "completes a verb" "$(complete redblue bou)" "bound bounds "
  ok "completes an option" "$(complete redblue verify x --wi)" "--within "
  ok "completes a family" "$(complete redblue bound attention-lo)" "attention-lowrank "
  ok "completes a schedule of the family" "$(complete redblue verify attention : n=8,d=2 fla)" "flash1 flash2 flat "
  ok "completes a value" "$(complete redblue bound x --rules sl)" "sliding "
  ok "completes after =" "$(complete redblue bound x --machine = h100-s)" "h100-sm-registers h100-sm "
  ok "completes a format" "$(complete redblue table --format la)" "latex "
  ok "is registered" "$(bash -c '. "$1"; complete -p redblue' - "$t/completion")" "complete -o nosort -F _redblue redblue"
fi
rm -rf "$t"; echo "$passed passed, $failed failed"; [ $failed = 0 ]
