#!/usr/bin/env python3
"""Writes the structures of assets/meshes as tetrahedra; the same bytes each time.

    tools/structures/make_structures.py assets/meshes [NAME...]"""
import pathlib
import sys

from structures import STRUCTURES


def main():
    if len(sys.argv) < 2 or not pathlib.Path(sys.argv[1]).is_dir():
        sys.exit("usage: make_structures.py FOLDER [NAME...]; FOLDER is one that exists")
    names = sys.argv[2:] or list(STRUCTURES)
    for name in names:
        if name not in STRUCTURES:
            sys.exit(f"make_structures.py: no structure '{name}'; there are {', '.join(STRUCTURES)}")
    for name in names:
        text = STRUCTURES[name]().text()
        (pathlib.Path(sys.argv[1]) / f"{name}.mesh").write_text(text, encoding="ascii")
        print(f"{name}.mesh: {len(text) // 1000} kB")


if __name__ == "__main__":
    main()
