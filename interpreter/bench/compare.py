#!/usr/bin/env python3
"""Times Python's json and pydantic against nebuko's core, on the same file in the same run.

    interpreter/bench/compare.py [COMMENTS]

Python only loads the thread into models with the fields that nebuko reads; nebuko parses it, folds it into the
ledger and renders the request. pydantic is installed from PyPI into a virtual environment below `target`; where
that cannot be done, the script says so and ends with 3.
"""

import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PYDANTIC = "pydantic==2.12.*"
ROUNDS = 9


def main() -> int:
    comments = sys.argv[1] if len(sys.argv) > 1 else "2500"
    python = with_pydantic()
    if python is None:
        return 3
    if pathlib.Path(sys.prefix) != python.parents[1]:
        return subprocess.call([python, __file__, comments])
    build = ["cargo", "build", "--release", "--locked", "--quiet", "-p", "nebuko-bench", "--bin", "gate"]
    subprocess.check_call(build, cwd=ROOT)
    gate = TARGET / "release" / "gate"
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "thread.json"
        file.write_bytes(subprocess.check_output([gate, "thread", "usual", comments]))
        show(comments, file.read_bytes(), gate, file)
    return 0


def with_pydantic() -> pathlib.Path | None:
    """Gives the Python of an environment that has pydantic, or None after saying why there is none."""
    folder = TARGET / "bench-python"
    python = folder.resolve() / "bin" / "python"
    try:
        if not python.exists():
            venv.create(folder, with_pip=True)
        if subprocess.call([python, "-c", "import pydantic"], stderr=subprocess.DEVNULL) != 0:
            subprocess.check_call([python, "-m", "pip", "install", "--quiet", PYDANTIC])
    except (OSError, subprocess.CalledProcessError) as why:
        print(f"compare: skipped, because pydantic could not be installed into {folder}: {why}", file=sys.stderr)
        return None
    return python


def show(comments: str, data: bytes, gate: pathlib.Path, file: pathlib.Path) -> None:
    thread = models()
    # One after the other in every round, so that a machine that slows down slows down all of them.
    loads, two, one, ours = [], [], [], []
    for _ in range(ROUNDS):
        loads.append(timed(lambda: json.loads(data)))
        two.append(timed(lambda: thread.model_validate(json.loads(data))))
        one.append(timed(lambda: thread.model_validate_json(data)))
        ours.append(phases(gate, file))
    parse = statistics.median(round["parse"] for round in ours)
    whole = statistics.median(round["all"] for round in ours)
    print(f"{comments} comments, {len(data) / 1e6:.1f} MB, medians of {ROUNDS} rounds, Python {sys.version.split()[0]}\n")
    print(f"{'':44} {'ms':>8} {'× parse':>9} {'× whole way':>12}")
    rows = [
        ("nebuko: parse", parse),
        ("nebuko: parse, reconcile, render", whole),
        ("Python: json.loads alone", statistics.median(loads)),
        ("Python: json.loads and pydantic models", statistics.median(two)),
        ("Python: pydantic's own JSON into models", statistics.median(one)),
    ]
    for name, seconds in rows:
        print(f"{name:44} {seconds * 1e3:8.1f} {seconds / parse:9.2f} {seconds / whole:12.2f}")


def phases(gate: pathlib.Path, file: pathlib.Path) -> dict[str, float]:
    """Gives each phase's seconds."""
    lines = subprocess.check_output([gate, "time", file, "3"], text=True).splitlines()
    return {name: int(micros) / 1e6 for name, micros in (line.split() for line in lines)}


def timed(load) -> float:
    start = time.perf_counter()
    kept = load()
    took = time.perf_counter() - start
    del kept
    return took


def models():
    """Gives the models of a thread: the fields that nebuko's snapshot has, and no others."""
    from pydantic import BaseModel

    class Account(BaseModel):
        id: int = 0
        login: str = ""
        name: str | None = None
        type: str = ""

    class Comment(BaseModel):
        id: int
        body: str | None = None
        html_url: str = ""
        user: Account | None = None
        created_at: str = ""
        updated_at: str = ""
        author_association: str = ""

    class Issue(Comment):
        number: int
        title: str = ""
        comments: int = 0
        pull_request: dict | None = None

    class Thread(BaseModel):
        issue: Issue
        comments: list[Comment]

    return Thread


if __name__ == "__main__":
    sys.exit(main())
