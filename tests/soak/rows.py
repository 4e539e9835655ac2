"""The rows of the papers that are not quick, the shortest first, for as long as is given: each runs to a verdict, and its
folder is whole. rows.py PROGRAM FOLDER [--seconds S] [--meshes FOLDER]

FOLDER keeps them: a longer run goes on where this one was. All of them take seven and a half hours on two cores."""
import argparse
import json
import os
import re
import subprocess
import sys


def chosen(program, seconds):
    """IDs, and how many rows are left out."""
    listed = subprocess.run([program, "reproduce", "--list", "--json"], capture_output=True, text=True, check=True).stdout
    rows = [row for row in json.loads(listed) if row["state"] == "ready" and not row["quick"]]
    rows.sort(key=lambda row: (row["seconds"], row["id"]))
    ids = []
    for row in rows:
        seconds -= row["seconds"]
        if ids and seconds < 0:
            break
        ids.append(row["id"])
    return ids, len(rows) - len(ids)


def check(folder, row):
    with open(os.path.join(folder, row, "results.json"), encoding="utf-8") as file:
        kept = json.load(file)
    for name in [*kept.get("plots", []), *kept.get("pictures", []), *([kept["video"]] if kept.get("video") else [])]:
        assert os.path.getsize(os.path.join(folder, row, name)) > 0, (row, name)
    left = [name for name in os.listdir(os.path.join(folder, row)) if ".partial-" in name]
    assert not left, (row, left)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("folder")
    arguments.add_argument("--seconds", type=float, default=1500, help="by the rows' own estimates (default: 1500)")
    arguments.add_argument("--meshes", help="the papers' own bodies")
    options = arguments.parse_args()
    ids, left_out = chosen(options.program, options.seconds)
    meshes = ["--meshes", options.meshes] if options.meshes and os.path.isdir(options.meshes) else []
    run = subprocess.run([options.program, "reproduce", *ids, *meshes, "-o", options.folder], capture_output=True, text=True)
    print(run.stdout, end="")
    assert run.returncode == 0, run.stderr
    found = dict(re.findall(r"^(\S+)\s+(agrees|differs|not comparable)\b", run.stdout, re.M))
    assert set(found) == set(ids), set(ids) - set(found)
    for row in ids:
        check(options.folder, row)
    print(f"{len(ids)} rows, {left_out} left out, which take longer")
    return 0


if __name__ == "__main__":
    sys.exit(main())
