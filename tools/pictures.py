#!/usr/bin/env python3
"""Makes the pictures of the README anew, of the program as it is now, on a display that nobody looks at. On a machine
that does nothing else: the window says how far it is from real time.

    tools/pictures.py [--program build/release/rebound] [--scene NAME] [window] [compare] [film] [gallery]
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "app"))
import window_driver  # noqa: E402

DOCS = ROOT / "docs"


class Window(window_driver.Window):
    """Patient with a machine that has other things to do."""

    def wait(self, condition, what, timeout=240):
        return super().wait(condition, what, timeout)


def shot(window, size, file):
    """What is on the screen now."""
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "x11grab", "-video_size", size, "-i", window.display,
                    "-frames:v", "1", str(file)], check=True, env=window.env)


def pull(window, share, steps=30):
    """Takes hold of the body while it stands still, goes on, and pulls without letting go, by a share of the pane."""
    window.key("space")
    window.wait(lambda s: s["paused"], "it stands still")
    window.settled()
    start = window.body()
    width, height = window.state()["places"][0][2:]
    window.xdotool("mousemove", *start, "mousedown", 1)
    window.wait(lambda s: s["held"], "it is held")
    window.key("space")
    for i in range(1, steps + 1):
        at = (start[0] + share[0] * width * i / steps, start[1] + share[1] * height * i / steps)
        window.xdotool("mousemove", *map(round, at))
        time.sleep(0.03)


def open_bunny(program, folder, display, size, *options):
    return Window(program, folder, display, ["swinging-bunny", "--size", size, *options])


def frames(window, count):
    window.wait(lambda s: s["run"]["frame"] >= count, f"{count} frames")


def window_picture(program, folder):
    """One bunny, swinging, pulled by its belly."""
    size = "1440x900"
    with window_driver.display(size) as display:
        window = open_bunny(program, folder, display, size, "--integrator", "rebound")
        frames(window, 240)
        pull(window, (0.25, -0.15))
        frames(window, window.state()["run"]["frame"] + 25)
        shot(window, size, DOCS / "window.png")
        window.xdotool("mouseup", 1)
        window.close()


def compare_picture(program, folder):
    """Four integrators, one hand: midpoint has just exploded."""
    size = "1280x800"
    with window_driver.display(size) as display:
        window = open_bunny(program, folder, display, size, "--integrator", "stabilized")
        for count in (2, 3, 4):
            window.key("c")
            window.wait(lambda s, count=count: len(s["panes"]) == count, "another pane")
        frames(window, 30)
        pull(window, (0.25, -0.1))
        window.wait(lambda s: any(pane["trouble"] for pane in s["panes"]), "midpoint explodes")
        time.sleep(1)
        shot(window, size, DOCS / "compare_window.png")
        window.xdotool("mouseup", 1)
        window.close()


def film_picture(program, folder):
    """The last picture of a film of four integrators."""
    subprocess.run([program, "record", "hanging-cloth", "--compare", "backward-euler,bdf2,implicit-midpoint,stabilized",
                    "--frames", "150", "-o", str(folder / "film") + "/"], check=True)
    last = max((folder / "film").iterdir())
    (DOCS / "comparison.png").write_bytes(last.read_bytes())


def gallery_pictures(program, folder, only=None):
    """One of each built-in scene, at the time that the gallery names; without the captions of a film."""
    # A film has its head above the pane, and the pane a label in its left corner: the right corner takes its place.
    head, label, size = 24, (260, 40), (640, 360)
    out = ROOT / "assets" / "pictures"
    out.mkdir(exist_ok=True)
    for scene in (s for group in json.loads((ROOT / "assets" / "gallery.json").read_text())["groups"] for s in group["scenes"]):
        name = scene["scene"]
        if only and name != only:
            continue
        # Scene files have comments, which json does not read.
        step = float(re.search(r'"timeStep":\s*([\d.e-]+)', (ROOT / "assets" / "scenes" / f"{name}.json").read_text())[1])
        subprocess.run([program, "record", name, "--frames", str(max(1, round(scene["picture"] / step))), "--plot", "off",
                        "--last", str(step / 2), "--size", f"{size[0]}x{size[1] + head}", "-o", str(folder / name) + "/"],
                       check=True)
        last = max((folder / name).iterdir())
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", str(last), "-vf",
                        f"crop={size[0]}:{size[1]}:0:{head},split[all][part];"
                        f"[part]crop={label[0]}:{label[1]}:{size[0] - label[0]}:0,hflip[corner];"
                        "[all][corner]overlay=0:0,scale=320:180:flags=area", "-q:v", "4",
                        str(out / f"{name}.jpg")], check=True)


def main():
    pictures = {"window": window_picture, "compare": compare_picture, "film": film_picture,
                "gallery": gallery_pictures}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "rebound"))
    parser.add_argument("--scene", help="of the gallery, this one alone")
    parser.add_argument("which", nargs="*", help="window, compare, film or gallery; all if none is named")
    arguments = parser.parse_args()
    for name in arguments.which or pictures:
        if name not in pictures:
            parser.error(f"'{name}' is none of {', '.join(pictures)}")
        with tempfile.TemporaryDirectory() as folder:
            only = [arguments.scene] if name == "gallery" else []
            pictures[name](str(pathlib.Path(arguments.program).resolve()), pathlib.Path(folder), *only)


if __name__ == "__main__":
    main()
