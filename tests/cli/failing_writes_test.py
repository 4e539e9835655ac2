#!/usr/bin/env python3
"""A disk that is full from some write on: the command says so in one line, and what stands there under its name is whole.
failing_writes_test.py PROGRAM LIBRARY      (of failing_write.cpp)"""
import filecmp
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, LIBRARY = os.path.abspath(sys.argv.pop(1)), os.path.abspath(sys.argv.pop(1))
FRAMES = 80
# Their bytes depend on the scene alone; a ledger and a summary have times.
SAME = {"states.csv", "motion.glb", "frames.run"}


class FailingWrites(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def command(self, name, *arguments, fail=None):
        folder, cache = self.root / name, self.root / (name + ".cache")
        folder.mkdir()
        env = dict(os.environ, LD_PRELOAD=LIBRARY, XDG_CACHE_HOME=str(cache))
        if fail is not None:
            env["FAIL_WRITE"] = str(fail)
        result = subprocess.run([PROGRAM, *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=60, env=env)
        return folder, result

    def run_command(self, name, fail=None):
        return self.command(name, "run", "spinning-cube", "--frames", FRAMES, "--ledger", "ledger.csv", "--states", "states.csv",
                            "--meshes", "meshes", "--motion", "motion.glb", "--plot", "plot.svg", "--summary", "summary.json",
                            "--save-run", "frames.run", fail=fail)

    def says_so_in_a_line(self, result, where):
        self.assertEqual(result.returncode, 2, f"{where}: {result.stderr}")
        self.assertEqual(len(result.stderr.splitlines()), 1, f"{where}: {result.stderr}")
        self.assertIn("No space left on device", result.stderr, where)

    def test_whichever_write_of_a_run_is_the_first_to_fail(self):
        whole, result = self.run_command("whole")
        self.assertEqual(result.returncode, 0, result.stderr)
        failed, fail = 0, 0
        while True:
            fail += 1 if fail < 12 else 6
            folder, result = self.run_command(str(fail), fail)
            for file in folder.rglob("*"):
                if file.is_dir():
                    continue
                reference = whole / file.relative_to(folder)
                self.assertTrue(reference.exists(), f"write {fail} left {file.name}")
                if file.name in SAME or file.suffix == ".obj":
                    self.assertTrue(filecmp.cmp(file, reference, shallow=False), f"write {fail}: {file.name} is not whole")
                elif file.suffix == ".json":
                    json.loads(file.read_text())
                else:
                    self.assertEqual(file.read_text().count("\n"), reference.read_text().count("\n"), f"{fail}: {file.name}")
            if result.returncode == 0:
                break
            self.says_so_in_a_line(result, f"write {fail}")
            failed += 1
        self.assertEqual({f.name for f in folder.iterdir()}, {f.name for f in whole.iterdir()})
        self.assertGreater(failed, 30)

    def test_a_cache_that_cannot_be_written_is_done_without(self):
        # Large enough to be kept.
        for fail in (1, 2, 3):
            folder, result = self.command(f"cache{fail}", "run", "swinging-bunny", "--frames", 2, fail=fail)
            self.assertEqual(result.returncode, 0, result.stderr)
            left = [file for file in (self.root / f"cache{fail}.cache").rglob("*") if file.is_file()]
            self.assertEqual([file for file in left if "partial" in file.name or file.stat().st_size == 0], [])

    def test_a_film_is_playable_or_not_there(self):
        for fail in (1, 2, 4, 12):
            folder, result = self.command(f"film{fail}", "record", "spinning-cube", "--frames", 60, "-o", "film.mp4", fail=fail)
            if result.returncode == 0:
                continue
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            left = [file.name for file in folder.iterdir()]
            self.assertEqual(left, ["film.partial.mkv"] if "what was recorded is in" in result.stderr else [])
            for name in left:
                probe = ["ffprobe", "-v", "quiet", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0"]
                frames = subprocess.run([*probe, folder / name], capture_output=True, text=True, timeout=60).stdout
                self.assertGreater(int(frames), 0)


if __name__ == "__main__":
    unittest.main(verbosity=1)
