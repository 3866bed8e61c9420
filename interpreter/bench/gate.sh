#!/usr/bin/env bash
# The instruction and memory gate of the core. It counts with valgrind, so a busy or slow machine changes nothing.
#
#   interpreter/bench/gate.sh            parse, reconcile and render, held to their bounds (exit 1 where one is broken)
#   interpreter/bench/gate.sh --times    also holds start-up to a number of instructions, and reports times, which
#                                        hold for this machine and this run alone
#
# It installs nothing: without valgrind it says what to install and ends with 3.
set -euo pipefail
cd "$(dirname "$0")/../.."

COMMENTS=(100 2500 10000)
# From 2,500 to 10,000 comments is 4 times the work; the rest is room for what grows in powers of two.
GROWTH_PERCENT_MAX=440
# reconcile and render together, in percent of parse, for threads of all kinds.
WORK_PERCENT_MAX=100
KIB_MAX=$((40 * 1024))
# A whole dry run of docs/first-run, in instructions: some three times what it takes. 10 ms are tens of millions.
START_MAX=6000000

command -v valgrind > /dev/null || {
    echo "gate: valgrind is not there, so no instruction was counted; install it (apt-get install valgrind)" >&2
    exit 3
}

times=no
[ "${1:-}" != --times ] || times=yes
target=${CARGO_TARGET_DIR:-target}
cargo build --release --locked --quiet -p nebuko-bench --bin gate
gate=$(realpath "$target/release/gate")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The environment and the arguments stand on the stack, so both are the same every time.
count() {
    (cd "$work" && env -i LC_ALL=C valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 > /dev/null) |
        sed -n 's/^==[0-9]*== Collected : \([0-9]*\)$/\1/p'
}

# Each phase goes all the way up to it: what it costs is the difference to the one before.
phases=(nothing parse reconcile render)
threads=()
for comments in "${COMMENTS[@]}"; do threads+=("usual-$comments"); done
threads+=(reports-2500 commands-2500)
for thread in "${threads[@]}"; do "$gate" thread "${thread%-*}" "${thread#*-}" > "$work/$thread"; done

# Callgrind uses one core a process, so as many run at once as there are cores.
jobs_max=$(nproc)
for thread in "${threads[@]}"; do
    for phase in "${phases[@]}"; do
        while [ "$(jobs -rp | wc -l)" -ge "$jobs_max" ]; do wait -n || true; done
        count "$gate" "$phase" "$thread" > "$work/$thread.$phase" &
    done
done
wait

declare -A cost
failed=()
hold() { # hold VALUE MAX WORDS
    local sign="ok  "
    if [ "$1" -gt "$2" ]; then
        sign=FAIL
        failed+=("$3: $1, at most $2")
    fi
    printf '%s  %-64s %9s  (at most %s)\n' "$sign" "$3" "$1" "$2"
}

printf '%-16s %14s %14s %14s %12s\n' "instructions" parse reconcile render "per comment"
for thread in "${threads[@]}"; do
    before=0
    for phase in "${phases[@]}"; do
        upto=$(cat "$work/$thread.$phase")
        [ -n "$upto" ] || { echo "gate: valgrind counted nothing for $phase of $thread" >&2; exit 1; }
        cost[$thread.$phase]=$((upto - before))
        before=$upto
    done
    all=$((cost[$thread.parse] + cost[$thread.reconcile] + cost[$thread.render]))
    printf '%-16s %14d %14d %14d %12d\n' "$thread" "${cost[$thread.parse]}" "${cost[$thread.reconcile]}" \
        "${cost[$thread.render]}" $((all / ${thread#*-}))
done
echo

for thread in "${threads[@]}"; do
    work_of=$((cost[$thread.reconcile] + cost[$thread.render]))
    hold $((work_of * 100 / cost[$thread.parse])) $WORK_PERCENT_MAX "$thread: reconcile and render, percent of parse"
done
for phase in parse reconcile render; do
    growth=$((cost[usual-10000.$phase] * 100 / cost[usual-2500.$phase]))
    hold $growth $GROWTH_PERCENT_MAX "$phase: 10,000 comments, percent of 2,500"
done
for mix in usual reports commands; do
    hold "$("$gate" memory "$work/$mix-2500")" $KIB_MAX "$mix-2500: KiB at most, bytes freed once parsed"
done
hold "$("$gate" memory-held "$work/usual-2500")" $KIB_MAX "usual-2500: KiB at most, bytes held to the end"

if [ $times = yes ]; then
    cargo build --release --locked --quiet -p nebuko-interpreter --bin nebuko
    nebuko=$(realpath "$target/release/nebuko")
    cp -r docs/first-run "$work/first-run"
    start=("$nebuko" run --local first-run --model script:first-run/model.json --dry-run)
    hold "$(count "${start[@]}")" $START_MAX "start-up and a dry run, instructions"
    echo
    printf 'start to the first told line, median of 50: %s µs\n' "$(cd "$work" && "$gate" start 50 "${start[@]}")"
    for thread in "${threads[@]}"; do
        printf '%-16s µs, median: %s\n' "$thread" "$("$gate" time "$work/$thread" 15 | tr '\n' ' ')"
    done
fi

[ ${#failed[@]} -eq 0 ] || { printf '\ngate: broken: %s\n' "${failed[@]}" >&2; exit 1; }
