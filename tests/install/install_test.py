#!/usr/bin/env python3
"""Installs what was built into an empty folder, and uses it from there: the program, and the libraries in an example."""
import os
import subprocess
import sys
import tempfile
import unittest

CMAKE, GENERATOR, COMPILER, BUILD, SOURCE = sys.argv[1:6]
del sys.argv[1:6]


def run(*command, **options):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("REBOUND_")}
    result = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=environment, **options)
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.prefix = os.path.join(cls.folder.name, "prefix")
        run(CMAKE, "--install", BUILD, "--prefix", cls.prefix)

    def test_the_program_finds_its_scenes_and_tetgen(self):
        program = os.path.join(self.prefix, "bin", "rebound")
        if not os.path.exists(program):
            self.skipTest("built without the program")
        self.assertIn("swinging-bunny", run(program, "list", "scenes", cwd=self.folder.name))
        said = run(program, "check", "hippo-through-torus-of-fig-11", cwd=self.folder.name)
        self.assertIn("ok", said)
        cube = os.path.join(self.prefix, "share", "rebound", "meshes", "bunny.obj")
        run(program, "check", cube, "--set", '/bodies/0/mesh/tetrahedralize={"method": "tetgen"}', cwd=self.folder.name)

    def test_a_program_of_somebody_else_builds_and_runs(self):
        build = os.path.join(self.folder.name, "example")
        run(CMAKE, "-S", os.path.join(SOURCE, "examples", "falling_cube"), "-B", build, "-G", GENERATOR,
            f"-DCMAKE_CXX_COMPILER={COMPILER}", f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_BUILD_TYPE=Release")
        run(CMAKE, "--build", build)
        heights = [float(line.split()[3]) for line in run(os.path.join(build, "falling_cube")).splitlines()]
        # From 1 m, half of it above the floor: falls freely for 0.3 s, and never through the floor.
        self.assertAlmostEqual(heights[3], 1 - 9.81 / 2 * 0.3**2, delta=0.02)
        self.assertLess(min(heights), 0.4)
        self.assertGreater(min(heights), 0.1)


if __name__ == "__main__":
    unittest.main()
