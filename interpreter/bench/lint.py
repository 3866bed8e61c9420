#!/usr/bin/env python3
"""Times `nebuko lint` against other linters, in the same run on this machine.

    interpreter/bench/lint.py [FILES]

yamllint looks at the same workflow files, and only at how they are written. zizmor looks at the same number of workflow
files of GitHub Actions of the same length, and, like nebuko, at what they mean. Both are installed from PyPI into a
virtual environment below `target`; one that cannot be is left out, which is said. NEBUKO names a program that is built
already; without it a release build is made.
"""

import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
LINTERS = {"yamllint": "yamllint==1.38.*", "zizmor": "zizmor==1.32.*"}
ROUNDS = 9
# The others are slower; their figures vary by less.
ROUNDS_OF_OTHERS = 3

# Every part of the grammar: typed inputs, a mount, scripts, hooks, a gate, a loop that ends.
RELEASE = """\
name: {name}
description: "Builds, reviews and releases, variant {number}"
inputs:
  - name: run_test
    kind: exec
outputs: [report]
steps:
  - name: plan
    agent: architect
    complexity: high
    prompt: |
      Plan variant {number} of the release. Say what could break.
    next: build
  - name: build
    agent: dev
    inputs:
      run_test: input.run_test
      plan: plan
    pre_hook: {{path: scripts/setup.sh, args: ["--quiet"], timeout_minutes: 5}}
    next: test
  - name: test
    script:
      command: scripts/test.sh
      args: ["--variant", "{number}"]
      env: {{CI: "true"}}
      timeout_minutes: 20
    conditions:
      - on_result: fail
        next: build
    next: review
  - name: review
    agent: review
    human_gate: true
    prompt: "Review {{{{ build }}}} against {{{{ plan }}}}."
    conditions:
      - {{on_result: rejected, next: build}}
      - {{on_result: default, next: report}}
  - name: report
    agent: context
    next: null
"""

ACTIONS = """\
name: release {number}
on:
  push:
    branches: [main]
permissions:
  contents: read
concurrency:
  group: release-{number}-${{{{ github.ref }}}}
  cancel-in-progress: true
jobs:
  build:
    name: build {number}
    runs-on: ubuntu-24.04
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - name: test
        run: scripts/test.sh --variant {number}
        env:
          CI: "true"
      - name: report
        if: failure()
        run: scripts/report.sh
  release:
    name: release {number}
    needs: build
    runs-on: ubuntu-24.04
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2
        with:
          persist-credentials: false
      - name: release
        run: scripts/release.sh "$VERSION"
        env:
          VERSION: "{number}"
      - name: tell
        run: echo "released {number}"
"""


def main() -> int:
    files = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    nebuko = program()
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        flows, actions = place / "workflows", place / ".github" / "workflows"
        generate(flows, actions, files)
        own = [nebuko, "lint", str(flows), "--quiet"]
        ended = subprocess.run(own, cwd=place, capture_output=True, text=True)
        if ended.returncode != 0 or ended.stdout:
            print(f"lint: the generated files have findings:\n{ended.stdout[:2000]}{ended.stderr}", file=sys.stderr)
            return 1
        lines = sum(len(path.read_text().splitlines()) for path in flows.iterdir()) // files
        print(f"{files} workflow files of {lines} lines; median of {ROUNDS} runs, of the others {ROUNDS_OF_OTHERS}")
        ours = median(own, place, ROUNDS)
        print(f"{'nebuko lint':12} {ours * 1e3:10.1f} ms  {ours * 1e6 / files:9.1f} µs a file")
        for name, command in others(flows, actions).items():
            theirs = median(command, place, ROUNDS_OF_OTHERS)
            print(f"{name:12} {theirs * 1e3:10.1f} ms  {theirs * 1e6 / files:9.1f} µs a file  {theirs / ours:8.1f} ×")
    return 0


def program() -> str:
    if "NEBUKO" in os.environ:
        return os.environ["NEBUKO"]
    build = ["cargo", "build", "--release", "--locked", "--quiet", "-p", "nebuko-interpreter", "--bin", "nebuko"]
    subprocess.check_call(build, cwd=ROOT)
    return str((TARGET / "release" / "nebuko").resolve())


def generate(flows: pathlib.Path, actions: pathlib.Path, files: int) -> None:
    flows.mkdir(parents=True)
    actions.mkdir(parents=True)
    shipped = {path.stem: path.read_text() for path in sorted((ROOT / "workflows").glob("*.yaml"))}
    for number in range(files):
        # Half of them are variants of what is shipped.
        if number % 2:
            stem, text = list(shipped.items())[number // 2 % len(shipped)]
            name = f"{stem}-{number}"
            text = re.sub(r"^name: .*$", f"name: {name}", text, count=1, flags=re.MULTILINE)
        else:
            name = f"release-{number}"
            text = RELEASE.format(name=name, number=number)
        (flows / f"{name}.yaml").write_text(text)
        (actions / f"release-{number}.yml").write_text(ACTIONS.format(number=number))


def others(flows: pathlib.Path, actions: pathlib.Path) -> dict[str, list[str]]:
    """Gives the commands of the linters that can be had."""
    folder = (TARGET / "bench-python").resolve()
    commands = {
        "yamllint": ["-d", "relaxed", str(flows)],
        "zizmor": ["--offline", "--quiet", "--no-progress", "--no-exit-codes", str(actions)],
    }
    found = {}
    for name, package in LINTERS.items():
        try:
            if not (folder / "bin" / "python").exists():
                venv.create(folder, with_pip=True)
            if not (folder / "bin" / name).exists():
                subprocess.check_call([folder / "bin" / "python", "-m", "pip", "install", "--quiet", package])
            found[name] = [str(folder / "bin" / name), *commands[name]]
        except (OSError, subprocess.CalledProcessError) as why:
            print(f"lint: {name} is left out, because it could not be installed: {why}", file=sys.stderr)
    return found


def median(command: list[str], folder: pathlib.Path, rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        times.append(time.perf_counter() - start)
        if ended.returncode not in (0, 1):
            sys.exit(f"lint: {command[0]} ended with {ended.returncode}: {ended.stderr[-1000:]}")
    return statistics.median(times)


if __name__ == "__main__":
    sys.exit(main())
