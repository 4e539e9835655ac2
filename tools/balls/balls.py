#!/usr/bin/env python3
"""Surfaces of balls 1 m across, to be filled: an icosahedron whose faces are cut alike; the same bytes each time.

    tools/balls/balls.py assets/meshes"""
import math
import pathlib
import sys

GOLDEN = (1 + math.sqrt(5)) / 2
CORNERS = ((-1, GOLDEN, 0), (1, GOLDEN, 0), (-1, -GOLDEN, 0), (1, -GOLDEN, 0), (0, -1, GOLDEN), (0, 1, GOLDEN),
           (0, -1, -GOLDEN), (0, 1, -GOLDEN), (GOLDEN, 0, -1), (GOLDEN, 0, 1), (-GOLDEN, 0, -1), (-GOLDEN, 0, 1))
FACES = ((0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6),
         (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10),
         (8, 6, 7), (9, 8, 1))


def ball(pieces):
    """Each edge of the icosahedron in so many pieces: 20 pieces^2 triangles, counter-clockwise seen from outside."""
    points, known, triangles = [], {}, []

    def point(p):
        length = math.sqrt(sum(c * c for c in p))
        at = tuple(round(0.5 * c / length, 6) + 0.0 for c in p)
        if at not in known:
            known[at] = len(points)
            points.append(at)
        return known[at]

    for face in FACES:
        a, b, c = (CORNERS[k] for k in face)

        def grid(i, j):
            return point(tuple((pieces - i - j) * p + i * q + j * r for p, q, r in zip(a, b, c)))

        for i in range(pieces):
            for j in range(pieces - i):
                triangles.append((grid(i, j), grid(i + 1, j), grid(i, j + 1)))
                if i + j < pieces - 1:
                    triangles.append((grid(i + 1, j), grid(i + 1, j + 1), grid(i, j + 1)))
    return points, triangles


def text(pieces):
    """As an OBJ file."""
    points, triangles = ball(pieces)
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in points]
    lines += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in triangles]
    return "\n".join(lines) + "\n"


BALLS = {"ball_980": 7, "ball_1280": 8}


def main():
    if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1]).is_dir():
        sys.exit("usage: balls.py FOLDER; FOLDER is one that exists")
    for name, pieces in BALLS.items():
        (pathlib.Path(sys.argv[1]) / f"{name}.obj").write_text(text(pieces), encoding="ascii")


if __name__ == "__main__":
    main()
