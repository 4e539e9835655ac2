"""Every structure in assets/meshes: made by the committed recipes, in one piece, its faces shared by two tetrahedra at
most, none of them flat: structures_test.py SOURCE_FOLDER"""
import collections
import itertools
import math
import pathlib
import sys
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "tools" / "structures"))
import balls  # noqa: E402
from cells import cross, dot, minus  # noqa: E402
from structures import STRUCTURES  # noqa: E402
from make_structures import FILES  # noqa: E402

MESHES = SOURCE / "assets" / "meshes"


def parsed(text):
    lines = iter(text.splitlines())
    tables = {}
    for line in lines:
        if line in ("Vertices", "Tetrahedra"):
            tables[line] = [next(lines).split() for _ in range(int(next(lines)))]
    points = [tuple(map(float, row[:3])) for row in tables["Vertices"]]
    return points, [tuple(int(word) - 1 for word in row[:4]) for row in tables["Tetrahedra"]]


def pieces(tets, vertices):
    root = list(range(vertices))

    def find(v):
        while root[v] != v:
            root[v] = root[root[v]]
            v = root[v]
        return v

    for tet in tets:
        for v in tet[1:]:
            root[find(v)] = find(tet[0])
    return len({find(v) for v in range(vertices)})


class Structures(unittest.TestCase):
    def test_are_what_the_recipes_make(self):
        for name, (file, make) in FILES.items():
            with self.subTest(name):
                committed = (MESHES / file).read_text(encoding="ascii")
                self.assertTrue(make() == committed, f"run: tools/structures/make_structures.py assets/meshes {name}")

    def test_balls_are_closed_and_round(self):
        for pieces in balls.BALLS.values():
            points, triangles = balls.ball(pieces)
            self.assertEqual(len(triangles), 20 * pieces ** 2)
            self.assertEqual(len(points), 10 * pieces ** 2 + 2)
            sides = collections.Counter((t[k], t[(k + 1) % 3]) for t in triangles for k in range(3))
            self.assertTrue(all(sides[side] == 1 and sides[side[::-1]] == 1 for side in sides))
            volume = sum(dot(cross(points[a], points[b]), points[c]) / 6 for a, b, c in triangles)
            self.assertLess(abs(volume / (math.pi / 6) - 1), 0.02)
            for p in points:
                self.assertAlmostEqual(dot(p, p), 0.25, places=5)

    def test_are_fit_to_be_simulated(self):
        for name in STRUCTURES:
            with self.subTest(name):
                text = (MESHES / f"{name}.mesh").read_text(encoding="ascii")
                points, tets = parsed(text)
                self.assertLess(len(text), 300_000)
                self.assertEqual(pieces(tets, len(points)), 1)
                faces = collections.Counter(frozenset(face) for tet in tets for face in itertools.combinations(tet, 3))
                self.assertLessEqual(max(faces.values()), 2)
                for tet in tets:
                    a, b, c, d = (points[i] for i in tet)
                    volume = dot(cross(minus(b, a), minus(c, a)), minus(d, a)) / 6
                    longest = max(dot(minus(p, q), minus(p, q)) for p, q in itertools.combinations((a, b, c, d), 2)) ** 0.5
                    self.assertGreater(volume, 1e-4 * longest ** 3, tet)


if __name__ == "__main__":
    unittest.main()
