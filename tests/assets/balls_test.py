"""The balls in assets/meshes: made by the committed recipe, closed and round: balls_test.py SOURCE_FOLDER"""
import collections
import math
import pathlib
import sys
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "tools" / "balls"))
import balls  # noqa: E402


def volume(a, b, c):
    return (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6


class Balls(unittest.TestCase):
    def test_are_what_the_recipe_makes(self):
        for name, pieces in balls.BALLS.items():
            with self.subTest(name):
                committed = (SOURCE / "assets" / "meshes" / f"{name}.obj").read_text(encoding="ascii")
                self.assertTrue(balls.text(pieces) == committed, "run: tools/balls/balls.py assets/meshes")

    def test_are_closed_and_round(self):
        for pieces in balls.BALLS.values():
            points, triangles = balls.ball(pieces)
            self.assertEqual(len(triangles), 20 * pieces ** 2)
            self.assertEqual(len(points), 10 * pieces ** 2 + 2)
            sides = collections.Counter((t[k], t[(k + 1) % 3]) for t in triangles for k in range(3))
            self.assertTrue(all(sides[side] == 1 and sides[side[::-1]] == 1 for side in sides))
            inside = sum(volume(*(points[i] for i in t)) for t in triangles)
            self.assertLess(abs(inside / (math.pi / 6) - 1), 0.02)
            for p in points:
                self.assertAlmostEqual(sum(c * c for c in p), 0.25, places=5)


if __name__ == "__main__":
    unittest.main()
