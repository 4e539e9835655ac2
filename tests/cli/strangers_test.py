"""Scenes and runs from strangers: with --confined they read only meshes below their own folder; in any case they write
nothing and start no program but the one that fills a surface.   strangers_test.py PROGRAM"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
TETRAHEDRON = "MeshVersionFormatted 2\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\nTetrahedra 1\n1 2 3 4 0\nEnd\n"


class Strangers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        for name in ("secret", "theirs", "theirs/meshes"):
            os.mkdir(self.path(name))
        for name in ("secret/a.mesh", "theirs/meshes/a.mesh"):
            with open(self.path(name), "w", encoding="ascii") as file:
                file.write(TETRAHEDRON)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def scene(self, mesh, where="bodies"):
        description = {"rebound": 1, "frames": 1, "bodies": [{"mesh": {"file": mesh}}]}
        with open(self.path("theirs/scene.json"), "w", encoding="utf-8") as file:
            json.dump(description, file)
        return self.path("theirs/scene.json")

    def run_it(self, *arguments, **environment):
        return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=60,
                              env={**os.environ, **environment}, cwd=self.path("secret"))

    def test_meshes_below_the_folder_are_read(self):
        for mesh in ("meshes/a.mesh", "./meshes/../meshes/a.mesh", self.path("theirs/meshes/a.mesh")):
            result = self.run_it("run", self.scene(mesh), "--confined")
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_others_are_refused_where_they_are_not_allowed(self):
        os.symlink(self.path("secret/a.mesh"), self.path("theirs/link.mesh"))
        os.symlink(self.path("secret"), self.path("theirs/folder"))
        for mesh in ("../secret/a.mesh", self.path("secret/a.mesh"), "link.mesh", "folder/a.mesh", "/no/such/a.mesh"):
            with self.subTest(mesh):
                scene = self.scene(mesh)
                result = self.run_it("run", scene, "--confined")
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
                self.assertIn("/bodies/0/mesh/file", result.stderr)
                self.assertIn("outside of the scene's folder", result.stderr)
                self.assertEqual(self.run_it("check", scene, REBOUND_CONFINED="1").returncode, 2)
                # The user's own scenes lie where they like.
                if os.path.exists(os.path.join(self.path("theirs"), mesh)):
                    self.assertEqual(self.run_it("run", scene).returncode, 0)

    def test_runs_are_confined_as_well(self):
        scene = self.scene("meshes/a.mesh")
        run = self.path("theirs/a.jsonl")
        self.assertEqual(self.run_it("run", scene, "--save-run", run).returncode, 0)
        self.assertEqual(self.run_it("run", "--replay", run, "--confined").returncode, 0)
        os.mkdir(self.path("other"))
        with open(run, encoding="utf-8") as file:
            text = file.read()
        with open(self.path("other/a.jsonl"), "w", encoding="utf-8") as file:
            file.write(text.replace("meshes/a.mesh", "../theirs/meshes/a.mesh"))
        result = self.run_it("run", "--replay", self.path("other/a.jsonl"), "--confined")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("outside of the scene's folder", result.stderr)

    def test_built_in_scenes_are_not_strangers(self):
        result = self.run_it("check", "gummy-bear", "--confined")
        self.assertEqual(result.returncode, 0, result.stderr)

    @unittest.skipUnless(shutil.which("strace"), "strace is not installed")
    def test_a_scene_writes_nothing_and_starts_nothing(self):
        scene = self.scene("meshes/a.mesh")
        log = self.path("calls")
        subprocess.run(["strace", "-f", "-o", log, "-e", "trace=execve,openat,open,creat,unlink,rename,mkdir", PROGRAM,
                        "run", scene], check=True, capture_output=True, timeout=100,
                       env={**os.environ, "XDG_CACHE_HOME": self.path("cache")})
        with open(log, encoding="utf-8", errors="replace") as file:
            calls = file.read().splitlines()
        started = [c for c in calls if "execve(" in c]
        self.assertEqual(len(started), 1, started)
        written = [c for c in calls if ("O_WRONLY" in c or "O_RDWR" in c or "O_CREAT" in c) and "/dev/" not in c]
        self.assertEqual(written, [])


if __name__ == "__main__":
    unittest.main()
