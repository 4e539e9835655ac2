#!/usr/bin/env python3
"""Writes the table in the README from what `rebound bench frame/ frame/thin frame/solid- --json FILE` has measured.

    tools/bench_table.py FILE.json             prints it
    tools/bench_table.py FILE.json README.md   puts it between the two marks there
"""
import json
import re
import sys

BEGIN, END = "<!-- the table of tools/bench_table.py: begin -->", "<!-- end -->"
# [Dinev18 Table I]: milliseconds a frame of its method, local/global.
PAPER = {"bar": 5.73, "cube": 8.41, "hippo": 73.3, "bunny-slide": 212, "cactus": 174, "cloth": 127, "dog": 1205,
         "bunny": 1510}


def short(ms):
    return f"{ms:.0f}" if ms >= 100 else f"{ms:.3g}"


def table(rows):
    frames = {(r["body"], r["integrator"], r["threads"]): r for r in rows if r["name"].startswith("frame/")}
    threads = sorted({t for _, _, t in frames})
    most = threads[-1]
    lines = [
        f"| body | vertices | elements | {most} threads | slowest | 1 thread | over backward Euler | gap | ns an element "
        "| memory | reference | the paper |",
        "| --- " * 12 + "|",
    ]
    for body in dict.fromkeys(body for body, _, _ in frames):
        row = frames.get((body, "stabilized", most))
        if row is None:
            continue
        alone = frames.get((body, "stabilized", 1))
        euler = frames.get((body, "backward-euler", most))
        lines.append("| " + " | ".join([
            body, f"{row['vertices']:,}", f"{row['elements']:,}", short(row["median_ms"]), short(row["max_ms"]),
            short(alone["median_ms"]) if alone else "-",
            f"{row['median_ms'] / euler['median_ms']:.2f}" if euler else "-",
            f"{row['gap']:.0e}" if row["gap"] is not None else "-",
            f"{1e6 * row['median_ms'] / row['elements']:.0f}",
            f"{row['memory_mb']:.0f} MB" if row["memory_mb"] is not None else "-",
            short(row["reference_ms"]) if row["reference_ms"] is not None else "-",
            short(PAPER[body]) if body in PAPER else "-",
        ]) + " |")
    return "\n".join(lines)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        text = table(json.load(file))
    if len(sys.argv) == 2:
        print(text)
        return
    with open(sys.argv[2], encoding="utf-8") as file:
        page = file.read()
    page, found = re.subn(re.escape(BEGIN) + ".*?" + re.escape(END), f"{BEGIN}\n\n{text}\n\n{END}", page, flags=re.S)
    if not found:
        sys.exit(f"{sys.argv[2]}: has no line '{BEGIN}'")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(page)


main()
