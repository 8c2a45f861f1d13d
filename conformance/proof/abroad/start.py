#!/usr/bin/env python3
"""start.py ID OPTIONS: the Python example with one subject's replacement. start.py --list: the subjects as JSON."""

import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"))

import server  # noqa: E402
from subjects import SUBJECTS  # noqa: E402

for file in sorted(pathlib.Path(__file__).parent.glob("*.py")):
    if file.stem != "start":
        __import__(file.stem)

if sys.argv[1] == "--list":
    cells = ("section", "says", "lawful")
    print(json.dumps([{"id": id, **{cell: getattr(row, cell) for cell in cells}} for id, row in SUBJECTS.items()]))
else:
    SUBJECTS[sys.argv.pop(1)].install()
    server.main()
