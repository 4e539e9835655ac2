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

    def built_example(self, name):
        build = os.path.join(self.folder.name, name)
        run(CMAKE, "-S", os.path.join(SOURCE, "examples", name), "-B", build, "-G", GENERATOR,
            f"-DCMAKE_CXX_COMPILER={COMPILER}", f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_BUILD_TYPE=Release")
        run(CMAKE, "--build", build)
        return run(os.path.join(build, name))

    def test_a_fall_of_a_cube(self):
        heights = [float(line.split()[3]) for line in self.built_example("falling_cube").splitlines()]
        # From 2 m: it falls freely for 0.3 s, onto its half edge and not through the floor, and comes up again.
        self.assertAlmostEqual(heights[2], 2 - 9.81 / 2 * 0.3**2, delta=0.02)
        self.assertLess(min(heights), 0.4)
        self.assertGreater(min(heights), 0.1)
        self.assertGreater(max(heights[heights.index(min(heights)):]), 1.5)

    def test_an_energy_of_ones_own(self):
        # It exits with an error where the cube leaves its orbit, or its energy.
        self.assertIn("off its circle", self.built_example("own_energy"))

    def test_an_integrator_of_ones_own(self):
        # Likewise where either integrator loses the energy.
        self.assertIn("velocity Verlet", self.built_example("own_integrator"))


if __name__ == "__main__":
    unittest.main()
