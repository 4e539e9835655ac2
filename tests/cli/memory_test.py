"""Where there is little memory the program says what was too large, in one line and with status 3, or does its work.
It neither hangs nor is ended by a signal.   memory_test.py PROGRAM"""
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
MIB = 1 << 20


def scene(mesh, **more):
    material = {"model": "arap", "young": 1e5, "poisson": 0.3, "density": 1000}
    if "cloth" in mesh:
        material = {"model": "springs", "stiffness": 100, "density": 0.1}
    return {"rebound": 1, "frames": 2, "bodies": [{"mesh": mesh, "material": material}], **more}


def box(n, **more):
    return scene({"box": {"size": [1, 1, 1], "divisions": [n, n, n]}}, **more)


class LittleMemory(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_within(self, bytes_of_address_space, description, *arguments, command="run"):
        file = os.path.join(self.folder.name, "scene.json")
        with open(file, "w", encoding="utf-8") as out:
            json.dump(description, out)
        env = dict(os.environ, XDG_CACHE_HOME=self.folder.name)

        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (bytes_of_address_space, bytes_of_address_space))
        # A hang does not heed SIGTERM: after the time it is killed, and the test fails.
        return subprocess.run([PROGRAM, command, file, "--threads", "16", *arguments], capture_output=True, text=True,
                              timeout=30, env=env, preexec_fn=limit if bytes_of_address_space else None)

    def ends_well(self, result, where):
        self.assertIn(result.returncode, (0, 3), f"{where}: {result.stderr}")
        said = [line for line in result.stderr.splitlines() if not line.startswith("note:")]
        self.assertEqual(len(said), 0 if result.returncode == 0 else 1, f"{where}: {result.stderr}")
        if result.returncode == 3:
            self.assertRegex(said[0], "memory|address space|needs about|cannot be started", where)
            self.assertNotIn("change the material", said[0], where)

    def test_every_size_of_address_space_ends_in_a_result_or_a_line(self):
        scenes = {"box": box(12), "newton": box(16, solver={"type": "newton"}),
                  "cloth": scene({"cloth": {"size": [1, 1], "divisions": [80, 80]}})}
        statuses = set()
        for name, description in scenes.items():
            for mib in (250, 330, 420, 520, 700, 1200):
                with self.subTest(name=name, mib=mib):
                    result = self.run_within(mib * MIB, description)
                    self.ends_well(result, f"{name} within {mib} MiB")
                    statuses.add(result.returncode)
        self.assertEqual(statuses, {0, 3})

    def test_the_same_bytes_with_fewer_threads(self):
        rows = []
        for limit in (0, 480 * MIB):
            file = os.path.join(self.folder.name, "states.csv")
            result = self.run_within(limit, box(5), "--states", file)
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(file, "rb") as states:
                rows.append(states.read())
        self.assertEqual(*rows)

    def test_what_is_near_of_two_bodies_is_said_with_its_size(self):
        above = box(24)["bodies"][0] | {"transform": {"translate": [0, 1.01, 0]}}
        description = box(24, solver={"type": "newton"}, contact={"type": "barrier", "distance": 0.9})
        description["bodies"].append(above)
        result = self.run_within(1500 * MIB, description)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertRegex(result.stderr, r"the list of what is near of body \d and body \d needs about [\d.]+ [MG]B, and there "
                                        r"is room for .* take a shorter contact distance, or coarser surfaces")

    def test_what_a_factor_needs_is_said_with_its_size(self):
        result = self.run_within(520 * MIB, box(34))
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertRegex(result.stderr, r"the factor, with its block inverse, of a system with 42875 vertices needs about \d+ MB, and "
                                        r"there is room for \d+ MB \(the limit of its address space, ulimit -v\)")
        result = self.run_within(370 * MIB, box(20, solver={"type": "newton"}))
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertRegex(result.stderr, r"frame \d: the factor of a system matrix with \d+ rows needs about \d+ MB")

    def test_a_measurement_that_has_no_memory_says_so(self):
        newton = box(16, solver={"type": "newton"})
        result = self.run_within(370 * MIB, newton, "--reference", "backward-euler/1x5", command="measure")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertRegex(result.stderr, r"the factor of a system matrix with \d+ rows needs about \d+ MB")

    def test_a_body_is_refused_before_it_is_made(self):
        began = time.monotonic()
        result = self.run_within(1000 * MIB, box(120))
        self.assertLess(time.monotonic() - began, 5)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertRegex(result.stderr, r"/bodies/0: a body of 1728000 vertices and 10368000 tetrahedra needs about "
                                        r"5\.5 GB")
        result = self.run_within(700 * MIB, scene({"cloth": {"size": [1, 1], "divisions": [800, 800]}}))
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertRegex(result.stderr, r"640000 vertices and 3840000 springs needs about 902 MB")


if __name__ == "__main__":
    unittest.main()
