#!/usr/bin/env python3
"""Writes the structures of assets/meshes as tetrahedra, and balls as surfaces; the same bytes each time.

    tools/structures/make_structures.py assets/meshes [NAME...]"""
import pathlib
import sys

import balls
from structures import STRUCTURES

FILES = {name: (f"{name}.mesh", lambda make=make: make().text()) for name, make in STRUCTURES.items()}
FILES |= {name: (f"{name}.obj", lambda pieces=pieces: balls.text(pieces)) for name, pieces in balls.BALLS.items()}


def main():
    if len(sys.argv) < 2 or not pathlib.Path(sys.argv[1]).is_dir():
        sys.exit("usage: make_structures.py FOLDER [NAME...]; FOLDER is one that exists")
    names = sys.argv[2:] or list(FILES)
    for name in names:
        if name not in FILES:
            sys.exit(f"make_structures.py: no structure '{name}'; there are {', '.join(FILES)}")
    for name in names:
        file, make = FILES[name]
        text = make()
        (pathlib.Path(sys.argv[1]) / file).write_text(text, encoding="ascii")
        print(f"{file}: {len(text) // 1000} kB")


if __name__ == "__main__":
    main()
