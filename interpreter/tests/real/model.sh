#!/usr/bin/env bash
# Runs nebuko against OpenAI-compatible servers that nobody here wrote: one that follows rules, and one with a real model.
# What is not there is skipped, and said. README.md has the rest.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=ground.sh
. "$here/ground.sh"

if fetch "scripted" @dwmkerr/mock-llm@0.1.29; then check "scripted" run scripted.mjs; fi

if [ -z "${LLAMA_PYTHON:-}" ] || [ -z "${LLAMA_WEIGHTS:-}" ]; then
    skip "free" "LLAMA_PYTHON and LLAMA_WEIGHTS do not name a Python with llama-cpp-python[server] and a .gguf file"
elif ! "$LLAMA_PYTHON" -c 'import llama_cpp.server.app' 2> "$folder/python.log"; then
    skip "free" "$LLAMA_PYTHON has no llama-cpp-python[server] ($(tail -n1 "$folder/python.log"))"
elif [ ! -r "$LLAMA_WEIGHTS" ]; then
    skip "free" "there is no file $LLAMA_WEIGHTS"
else
    check "free" run free.mjs
fi
finish
