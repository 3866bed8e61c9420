#!/usr/bin/env bash
# Runs nebuko against real things that nobody here wrote: GitHub's own example events, a GitHub that keeps state, and
# GitHub's own description of its API. What cannot be fetched is skipped, and said. README.md has the rest.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)

examples=@octokit/webhooks-examples@7.6.1
server=emulate@0.11.2
description=@octokit/openapi@23.0.2
validator=@stoplight/prism-cli@5.16.0

ran=0 failed=0 skipped=0
skip() { skipped=$((skipped + 1)); printf 'skipped  %s: %s\n' "$1" "$2"; }
check() {
    local name=$1
    shift
    ran=$((ran + 1))
    if "$@"; then printf 'passed   %s\n' "$name"; else failed=$((failed + 1)); printf 'FAILED   %s\n' "$name"; fi
}
finish() {
    printf '\n%s ran, %s failed, %s skipped\n' "$ran" "$failed" "$skipped"
    exit $((failed > 0))
}

for tool in node npm; do
    command -v "$tool" > /dev/null || { skip "everything" "there is no $tool on this machine"; finish; }
done

if [ -z "${NEBUKO:-}" ]; then
    (cd "$root" && cargo build --quiet --package nebuko-interpreter)
    NEBUKO=${CARGO_TARGET_DIR:-$root/target}/debug/nebuko
fi
[ -x "$NEBUKO" ] || { echo "NEBUKO=$NEBUKO is no program" >&2; exit 2; }

# The packages are let run nothing while they are fetched, and are gone when this ends.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo '{"private":true}' > "$folder/package.json"
fetch() { # WHAT PACKAGE: fetches a package by name, or says why not
    npm install --prefix "$folder" --ignore-scripts --no-audit --no-fund "$2" > "$folder/npm.log" 2>&1 && return
    skip "$1" "npm could not fetch $2 ($(grep -m1 'npm error' "$folder/npm.log" || tail -n1 "$folder/npm.log"))"
    return 1
}
fetch_description() {
    # Unpacked it takes 385 MB; only one file of it is needed.
    (cd "$folder" && npm pack --silent "$description" > packed && tar xzf "$(cat packed)" package/generated/api.github.com.json) \
        2> "$folder/npm.log" && return
    skip "description" "npm could not fetch $description ($(head -n1 "$folder/npm.log"))"
    return 1
}

run() { NEBUKO=$NEBUKO PACKAGES=$folder/node_modules SCRATCH=$folder node "$here/$1"; }

if fetch "events" "$examples"; then check "events" run events.mjs; fi
if fetch "thread" "$server"; then
    check "thread" run thread.mjs
    if fetch "description" "$validator" && fetch_description; then check "description" run description.mjs; fi
else
    skip "description" "it needs $server behind it"
fi
finish
