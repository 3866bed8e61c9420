# What the checks stand on: counting, fetching packages by name, and a program to check. It is sourced; `here` is its folder.
root=$(cd "$here/../../.." && pwd)

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

run() { NEBUKO=$NEBUKO PACKAGES=$folder/node_modules SCRATCH=$folder node "$here/$1"; }
