#!/usr/bin/env python3
"""Runs `rebound measure` on the built-in scenes and writes what is seen of each integrator's motion as a page.

    tools/motion_table.py REBOUND PAGE.md [--frames N] [--integrators A,B,...] [SCENE...]

A cell is: shiver / visible kinetic energy over the reference's / path error. A scene whose reference is not within a
hundredth of a body diagonal of its own refinement is marked: nobody knows its true path."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HEAD = """# What is seen, measured

`tools/motion_table.py` wrote this page with `rebound measure`, {frames} frames a scene. A cell has the **shiver** (share of
the velocities' power at periods below 4 pictures, thirty a second, in the last half), the **visible** kinetic energy
over the reference's in the last third, and the **path** error in the first two seconds, in body diagonals. The reference
is implicit midpoint in 20 substeps of 20 iterations; its own shiver stands beside the scene's name. Where no visible
energy is left in the reference, the middle number is a dash.
"""


def cell(row):
    if row["blew_up_at"] is not None:
        return f"blew up at {row['blew_up_at']}"
    reference = row["reference_visible_kinetic"]
    visible = f"{row['visible_kinetic'] / reference:.2f}" if reference > 1e-9 else "-"
    return f"{row['shiver']:.3f} / {visible} / {row['path_error']:.3f}"


def measured(rebound, scene, integrators, frames):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "rows.json")
        run = subprocess.run([rebound, "measure", scene, "--integrator", ",".join(integrators), "--frames", str(frames),
                              "-o", file], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if run.returncode != 0:
            return run.stderr.strip().splitlines()[-1].removeprefix("rebound: ")
        with open(file, encoding="utf-8") as stream:
            return json.load(stream)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("rebound")
    arguments.add_argument("page")
    arguments.add_argument("scenes", nargs="*")
    arguments.add_argument("--frames", type=int, default=300)
    arguments.add_argument("--integrators", default="rebound,stabilized,tr-bdf2,bdf2,backward-euler")
    options = arguments.parse_args()
    scenes = options.scenes or [scene["id"] for scene in json.loads(
        subprocess.run([options.rebound, "list", "scenes", "--json"], check=True, capture_output=True).stdout)]
    integrators = options.integrators.split(",")
    lines = [HEAD.format(frames=options.frames), "| scene | " + " | ".join(f"`{i}`" for i in integrators) + " |",
             "| --- " * (1 + len(integrators)) + "|"]
    for scene in scenes:
        rows = measured(options.rebound, scene, integrators, options.frames)
        if isinstance(rows, str):
            lines.append(f"| {scene} | {rows} |" + " |" * (len(integrators) - 1))
        else:
            mark = "" if rows[0]["reference_path_error"] < 0.01 else ", reference not converged"
            lines.append(f"| {scene} ({rows[0]['reference_shiver']:.3f}{mark}) | " + " | ".join(map(cell, rows)) + " |")
        print(lines[-1], file=sys.stderr)
    with open(options.page, "w", encoding="utf-8") as page:
        page.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
