"""Switches scenes, integrators, materials and panes of the window at random: it stays alive, without one GL error, and its
memory does not grow.   window_switches.py PROGRAM [--switches N] [--seed N] [--minutes M]

With --minutes it goes on until the time is over; under the thread sanitizer it ends with that one's status."""
import argparse
import os
import pathlib
import random
import sys
import time

os.environ.setdefault("REBOUND_WINDOW_TIMEOUT", "120")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "app"))
from window_driver import SKIPPED, Skip, window  # noqa: E402

# Small ones: a switch takes as long as its scene takes to open.
SCENES = ["spinning-cube", "elastic-bar", "spring-pendulum", "spring-of-fig-2", "two-springs-of-fig-14", "hanging-cloth"]

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("program")
arguments.add_argument("--switches", type=int, default=100)
arguments.add_argument("--minutes", type=float)
arguments.add_argument("--seed", type=int, default=1)
arguments.add_argument("--most-growth", type=float, default=12, help="MiB a hundred switches, after the first third")
options = arguments.parse_args()
PROGRAM = os.path.abspath(options.program)
SLOW = bool(os.environ.get("TSAN_OPTIONS"))


def resident_mebibytes(pid):
    with open(f"/proc/{pid}/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20


def open_scene(w, name):
    # By hand, as a person does: the browser of the window takes a typed name.
    folder = pathlib.Path(os.environ.get("REBOUND_ASSETS", pathlib.Path(__file__).resolve().parents[2] / "assets"))
    w.key("Escape", "ctrl+o")
    w.settled()
    w.xdotool("type", folder / "scenes" / (name + ".json"))
    w.settled()
    w.key("Return")
    w.settled()


def switch(w, rng):
    """One of what a person switches; its name."""
    what = rng.randrange(10)
    if what == 0:
        name = rng.choice(SCENES)
        open_scene(w, name)
        return "scene"
    if what < 4:
        w.key(rng.choice("123456789"))
        return "integrator"
    if what == 4:
        w.key("c")
        return "pane"
    if what == 5:
        w.key(rng.choice("ng"))
        return "pane"
    if what == 6:
        # Somewhere in the side panel: sliders and choices of material, solver and forces.
        w.drag((rng.randrange(760, 990), rng.randrange(100, 690)), (rng.randrange(760, 990), rng.randrange(100, 690)), steps=3)
        w.key("Escape")
        return "panel"
    if what == 7:
        w.drag((rng.randrange(100, 600), rng.randrange(100, 500)), (rng.randrange(100, 600), rng.randrange(100, 500)), steps=4)
        return "pull"
    if what == 8:
        w.key(*rng.choice([["space", "Right", "space"], ["BackSpace"], ["ctrl+z"], ["ctrl+z", "ctrl+y"], ["Left", "space"]]))
        return "time"
    w.key(rng.choice(["b", "w", "t", "f", "Home", "Tab", "minus", "equal"]))
    return "view"


def main():
    rng = random.Random(options.seed)
    began = time.monotonic()
    end = began + 60 * options.minutes if options.minutes else None
    done, memory = {}, []
    with window(PROGRAM, "spinning-cube", path="/nowhere") as w:
        count = 0
        while time.monotonic() < end if end else count < options.switches:
            kind = switch(w, rng)
            done[kind] = done.get(kind, 0) + 1
            count += 1
            assert w.process.poll() is None, w.process.stdout.read()
            if count % 10 == 0:
                state = w.state()
                assert state.get("glErrors", 0) == 0, state
                memory.append((count, resident_mebibytes(w.process.pid)))
            if count % 100 == 0:
                print(f"{count} switches, {time.monotonic() - began:.0f} s, {memory[-1][1]:.0f} MiB", flush=True)
        w.key("Escape", "Escape")
        open_scene(w, "spinning-cube")
        time.sleep(1)
        memory.append((count, resident_mebibytes(w.process.pid)))
    third = [m for n, m in memory if n >= count / 3]
    # The highest of the later half over the highest of the earlier: scenes differ in size.
    half = len(third) // 2
    growth = max(third[half:]) - max(third[:half] or third)
    a_hundred = growth / max(1.0, count / 3 / 100)
    print(f"{count} switches ({', '.join(f'{n} of {k}' for k, n in sorted(done.items()))}), {time.monotonic() - began:.0f} s, "
          f"{memory[0][1]:.0f} MiB at first, {memory[-1][1]:.0f} MiB at the end, {a_hundred:+.1f} MiB a hundred")
    if not SLOW and count >= 200 and a_hundred > options.most_growth:
        print("FAULT: its memory grows")
        return 1
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Skip as reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)
