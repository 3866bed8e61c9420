#!/usr/bin/env bash
# Runs nebuko against real things that nobody here wrote: GitHub's own example events, a GitHub that keeps state, and
# GitHub's own description of its API. What cannot be fetched is skipped, and said. README.md has the rest.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=ground.sh
. "$here/ground.sh"

examples=@octokit/webhooks-examples@7.6.1
server=emulate@0.11.2
description=@octokit/openapi@23.0.2
validator=@stoplight/prism-cli@5.16.0

fetch_description() {
    # Unpacked it takes 385 MB; only one file of it is needed.
    (cd "$folder" && npm pack --silent "$description" > packed && tar xzf "$(cat packed)" package/generated/api.github.com.json) \
        2> "$folder/npm.log" && return
    skip "description" "npm could not fetch $description ($(head -n1 "$folder/npm.log"))"
    return 1
}

if fetch "events" "$examples"; then check "events" run events.mjs; fi
if fetch "thread" "$server"; then
    check "thread" run thread.mjs
    if fetch "description" "$validator" && fetch_description; then check "description" run description.mjs; fi
else
    skip "description" "it needs $server behind it"
fi
finish
