#!/usr/bin/env python3
"""Runs `rebound measure` on the built-in scenes and writes what is seen of each integrator's motion as a page.

    tools/motion_table.py REBOUND PAGE.md [--frames N] [--starts N] [--integrators A,B,...] [SCENE...]

A cell is: shiver / visible kinetic energy over the reference's / path error, means over the starts. A scene whose
reference is not within a hundredth of a body diagonal of its own refinement, or does not hold its own energy, is marked:
nobody knows its true motion."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HEAD = """# What is seen, measured

`tools/motion_table.py` wrote this page with `rebound measure`, {frames} frames a scene. A cell has the **shiver** (share of
the velocities' power at periods below 4 pictures, thirty a second, in the last half), the **visible** kinetic energy
over the reference's in the last third, and the **path** error in the first two seconds, in body diagonals. Each is the
mean of {starts} starts with stiffnesses a hundredth apart; what `rebound`'s visible energy is in the least and the most
lively of them stands below it. The reference is implicit midpoint in 20 substeps of 20 iterations; its own shiver stands
beside the scene's name. Where no visible energy is left in the reference, the middle number is a dash.
"""


def cell(row):
    if row["blew_up_at"] is not None:
        return f"blew up at {row['blew_up_at']}"
    reference = row["reference_visible_kinetic"]
    visible = f"{row['visible_kinetic'] / reference:.2f}" if reference > 1e-9 else "-"
    spread = ""
    if row["integrator"] == "rebound" and row["starts"] > 1 and reference > 1e-9:
        spread = f"<br>{row['visible_least']:.2f} to {row['visible_most']:.2f}"
    return f"{row['shiver']:.3f} / {visible} / {row['path_error']:.3f}{spread}"


def mark(row):
    if row["reference_path_error"] >= 0.01:
        return ", reference not converged"
    return ", reference's energy off" if row["reference_energy_error"] >= 0.05 else ""


def measured(rebound, scene, integrators, options):
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "rows.json")
        run = subprocess.run([rebound, "measure", scene, "--integrator", ",".join(integrators),
                              "--frames", str(options.frames), "--starts", str(options.starts), "-o", file], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
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
    arguments.add_argument("--starts", type=int, default=5)
    arguments.add_argument("--integrators", default="rebound,stabilized,tr-bdf2,generalized-alpha,a-search,bdf2,backward-euler")
    options = arguments.parse_intermixed_args()
    scenes = options.scenes or [scene["id"] for scene in json.loads(
        subprocess.run([options.rebound, "list", "scenes", "--json"], check=True, capture_output=True).stdout)]
    integrators = options.integrators.split(",")
    lines = [HEAD.format(frames=options.frames, starts=options.starts), "| scene | " + " | ".join(f"`{i}`" for i in integrators) + " |",
             "| --- " * (1 + len(integrators)) + "|"]
    for scene in scenes:
        rows = measured(options.rebound, scene, integrators, options)
        if isinstance(rows, str):
            lines.append(f"| {scene} | {rows} |" + " |" * (len(integrators) - 1))
        else:
            lines.append(f"| {scene} ({rows[0]['reference_shiver']:.3f}{mark(rows[0])}) | " + " | ".join(map(cell, rows)) + " |")
        print(lines[-1], file=sys.stderr)
    with open(options.page, "w", encoding="utf-8") as page:
        page.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
