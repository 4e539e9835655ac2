#!/usr/bin/env python3
"""What commands leave behind: never half a file, never an input written over, whatever the outputs are called, whoever
else writes there, and however the command ends."""
import csv
import json
import os
import resource
import signal
import stat
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from commands_test import PROGRAM, Commands, rebound, spring  # noqa: E402

TETRAHEDRON = "MeshVersionFormatted 1\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n" \
              "Tetrahedra 1\n1 2 3 4 0\nEnd\n"
SURFACE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"


def content(path):
    with open(path, "rb") as file:
        return file.read()


class SolveTraces(Commands):
    """--solve-trace has every iterate of every solve, and is refused where there is nothing to write."""

    def test_every_solve_goes_downhill_in_as_many_rows_as_the_ledger_counts(self):
        for solver in ("gast", "newton", "newton-cg"):
            for integrator, solves_a_step in (("backward-euler", 1), ("tr-bdf2", 2)):
                with self.subTest(solver=solver, integrator=integrator):
                    trace, ledger = self.path("trace.csv"), self.path("ledger.csv")
                    done = rebound("run", "stretched-rubber", "--frames", 4, "--solver", solver, "--integrator", integrator,
                                   "--set", "/substeps=2", "--solve-trace", trace, "--ledger", ledger)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    with open(trace, newline="") as file:
                        rows = list(csv.DictReader(file))
                    with open(ledger, newline="") as file:
                        counted = {row["frame"]: int(row["iterations"]) for row in csv.DictReader(file)}
                    for frame in ("1", "2", "3", "4"):
                        here = [row for row in rows if row["frame"] == frame]
                        self.assertEqual({row["solve"] for row in here}, {str(i) for i in range(2 * solves_a_step)})
                        self.assertEqual(sum(row["iteration"] != "0" for row in here), counted[frame])
                    for before, after in zip(rows, rows[1:]):
                        if after["iteration"] == "0":
                            continue
                        self.assertEqual(int(after["iteration"]), int(before["iteration"]) + 1)
                        high = float(before["objective"])
                        self.assertLessEqual(float(after["objective"]), high + 1e-13 * abs(high))
                        self.assertGreater(float(after["alpha"]), 0)
                        self.assertEqual(int(after["cg"]) > 0, solver != "newton")

    def test_the_last_iterate_under_a_barrier_is_there(self):
        trace, ledger = self.path("trace.csv"), self.path("ledger.csv")
        done = rebound("run", "dice", "--frames", 4, "--solver", "newton", "--solve-trace", trace, "--ledger", ledger)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(trace, newline="") as file:
            rows = list(csv.DictReader(file))
        for row in self.rows("ledger.csv")[1:]:
            here = [r for r in rows if r["frame"] == row["frame"]]
            self.assertEqual(sum(r["iteration"] != "0" for r in here), int(row["iterations"]))

    def test_what_cannot_be_traced_is_refused(self):
        self.refused("run", "spinning-cube", "--solve-trace", self.path("t.csv"), says=["local-global", "newton-cg", "gast"])
        self.refused("run", "spinning-cube", "--integrator", "forward-euler", "--solve-trace", self.path("t.csv"),
                     says=["forward-euler", "minimises nothing"])


class Inputs(Commands):
    """None of what is read is written over, and nothing is written twice: under no name that it has."""

    def test_a_run_does_not_write_over_what_it_reads(self):
        scene = self.write("a.json", spring())
        mesh = self.write("t.obj", SURFACE)
        meshed = self.write("m.json", {"rebound": 1, "frames": 2, "bodies": [{"name": "t", "mesh": {"file": "t.obj"}}]})
        os.link(scene, self.path("hard"))
        os.symlink("a.json", self.path("soft"))
        for option in ("--ledger", "--states", "--summary", "--save-run"):
            for name in ("a.json", "./a.json", "hard", "soft"):
                with self.subTest(option=option, name=name):
                    self.refused("run", scene, option, self.path(name), says=[option, "the scene", "name another file"])
        self.refused("run", mesh, "--states", mesh, says=["--states", "the mesh"])
        self.refused("run", meshed, "--ledger", mesh, says=["--ledger", "the mesh of body 't'"])
        self.refused("measure", scene, "-o", scene, says=["--output", "the scene"])
        self.refused("record", self.write("b.mkv", spring()), "-o", self.path("b.mkv"), says=["--output", "the scene"])
        self.assertEqual(json.loads(content(scene)), spring())
        self.assertEqual(content(mesh), SURFACE.encode())

    def test_a_replay_does_not_write_over_its_run(self):
        run = self.path("a.run")
        self.assertEqual(rebound("run", "spinning-cube", "--frames", 2, "--save-run", run).returncode, 0)
        before = content(run)
        self.refused("run", "--replay", run, "--save-run", run, says=["--save-run", "the run"])
        self.assertEqual(content(run), before)

    def test_surfaces_do_not_take_the_place_of_the_mesh(self):
        mesh = self.write("t_0_000001.obj", SURFACE)
        scene = self.write("m.json", {"rebound": 1, "frames": 2,
                                      "bodies": [{"name": "t", "mesh": {"file": "t_0_000001.obj"}}]})
        self.refused("run", scene, "--meshes", self.folder.name, says=["--meshes", "the mesh of body 't'"])
        self.assertEqual(content(mesh), SURFACE.encode())
        self.assertEqual(rebound("run", scene, "--meshes", self.path("out")).returncode, 0)

    def test_two_outputs_of_one_name_are_refused(self):
        for other in ("l.csv", "./l.csv", "sub/../l.csv"):
            os.makedirs(self.path("sub"), exist_ok=True)
            self.refused("run", "spinning-cube", "--frames", 2, "--ledger", self.path("l.csv"), "--states",
                         self.path(other), says=["--states", "--ledger"])
        self.assertEqual(os.listdir(self.folder.name), ["sub"])
        result = rebound("run", "spinning-cube", "--frames", 2, "--ledger", "/dev/null", "--states", "/dev/null")
        self.assertEqual(result.returncode, 0, result.stderr)


class Places(Commands):
    def test_a_dash_is_no_place(self):
        self.refused("run", "spinning-cube", "--frames", 1, "--ledger", "-", says=["--ledger", "/dev/stdout"])
        done = rebound("run", "spinning-cube", "--frames", 1, "--ledger", "/dev/stdout")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("frame,"), done.stdout[:80])

    def test_devices_and_pipes_are_written_through(self):
        null = os.stat("/dev/null")
        for option in ("--ledger", "--states", "--summary", "--save-run"):
            self.assertEqual(rebound("run", "spinning-cube", "--frames", 2, option, "/dev/null").returncode, 0)
        self.assertEqual((os.stat("/dev/null").st_mode, os.stat("/dev/null").st_rdev), (null.st_mode, null.st_rdev))
        self.refused("run", "spinning-cube", "--frames", 2, "--ledger", "/dev/full", says=["/dev/full", "No space"])
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))

        pipe = self.path("pipe")
        os.mkfifo(pipe)
        read = []
        reader = threading.Thread(target=lambda: read.append(content(pipe)))
        reader.start()
        self.assertEqual(rebound("run", "spinning-cube", "--frames", 3, "--states", pipe).returncode, 0)
        reader.join()
        self.assertTrue(stat.S_ISFIFO(os.stat(pipe).st_mode))
        self.assertEqual(read[0].count(b"\n"), 1 + 4 * 343)

    def test_the_standard_output_takes_a_table_and_what_is_said(self):
        with open(self.path("out"), "w") as out:
            subprocess.run([PROGRAM, "run", "spinning-cube", "--frames", "3", "--ledger", "/dev/stdout"], stdout=out,
                           check=True, timeout=60)
        lines = content(self.path("out")).decode().splitlines()
        self.assertTrue(lines[0].startswith("frame,time,"), lines[0])
        self.assertEqual([line.split(",")[0] for line in lines[1:5]], ["0", "1", "2", "3"])
        self.assertIn("3 frames", lines[5])

    def test_a_video_is_no_pipe(self):
        os.mkfifo(self.path("v.mp4"))
        self.refused("record", "spinning-cube", "-o", self.path("v.mp4"), "--frames", 2, "--size", "160x120",
                     says=["v.mp4", "pipe"])
        self.assertTrue(stat.S_ISFIFO(os.stat(self.path("v.mp4")).st_mode))

    def test_a_missing_folder_is_said_before_the_simulation(self):
        for option, name in (("--ledger", "l.csv"), ("--states", "s.csv"), ("--summary", "s.json"),
                             ("--save-run", "a.run"), ("--motion", "m.glb"), ("--plot", "p.svg"), ("--plot", "p.png")):
            with self.subTest(option):
                began = time.monotonic()
                # Hours, if it were simulated.
                self.refused("run", "spinning-cube", "--frames", 1_000_000, option, self.path("none/" + name),
                             "--ledger" if option != "--ledger" else "--states", self.path("whole.csv"), says=[name])
                self.assertLess(time.monotonic() - began, 20)
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_a_link_stays_a_link_for_every_writer(self):
        os.mkdir(self.path("there"))
        outputs = {"--ledger": "l.csv", "--summary": "s.json", "--save-run": "a.run", "--plot": "p.png",
                   "--motion": "m.glb"}
        arguments = []
        for option, name in outputs.items():
            os.symlink("there/" + name, self.path(name))
            arguments += [option, self.path(name)]
        self.assertEqual(rebound("run", "spinning-cube", "--frames", 2, *arguments).returncode, 0)
        os.symlink("there/v.mkv", self.path("v.mkv"))
        result = rebound("record", "spinning-cube", "-o", self.path("v.mkv"), "--frames", 2, "--size", "160x120")
        self.assertEqual(result.returncode, 0, result.stderr)
        for name in (*outputs.values(), "v.mkv"):
            self.assertTrue(os.path.islink(self.path(name)), name)
            self.assertGreater(os.path.getsize(self.path("there/" + name)), 0, name)
        self.assertEqual(len(os.listdir(self.path("there"))), len(outputs) + 1)

    def test_two_runs_with_one_output_leave_a_whole_one(self):
        out = self.path("s.csv")
        runs = [subprocess.Popen([PROGRAM, "run", "spinning-cube", "--frames", "40", "--states", out, "--seed", "1"],
                                 stdout=subprocess.DEVNULL) for _ in range(3)]
        self.assertEqual([run.wait(60) for run in runs], [0, 0, 0])
        alone = self.path("alone.csv")
        rebound("run", "spinning-cube", "--frames", 40, "--states", alone)
        self.assertEqual(content(out), content(alone))
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["alone.csv", "s.csv"])

    def test_a_file_that_may_not_grow_is_a_message(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
        # Python ignores the signal, and would pass that on.
        result = subprocess.run([PROGRAM, "run", "spinning-cube", "--frames", "300", "--states", self.path("s.csv")],
                                capture_output=True, text=True, timeout=60, preexec_fn=small_files)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("File too large", result.stderr)
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_bodies_without_triangles_are_no_empty_files(self):
        twice = TETRAHEDRON.replace("Tetrahedra 1\n1 2 3 4 0\n", "Tetrahedra 2\n1 2 3 4 0\n1 2 3 4 0\n")
        self.refused("run", self.write("twice.mesh", twice), "--meshes", self.path("out"),
                     says=["twice.mesh", "1 tetrahedron repeats an earlier one", "2 (of 1)"])
        self.assertFalse(os.path.exists(self.path("out")))
        result = rebound("run", self.write("pair.json", spring()), "--frames", 1, "--meshes", self.path("out"))
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = content(self.path("out/pair_0_000001.obj")).decode().splitlines()
        self.assertEqual([line.split()[0] for line in lines], ["v", "v", "l"])
        self.assertEqual(lines[2], "l 1 2")


class Signals(Commands):
    def started(self, *arguments, **environment):
        env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        env.update(environment)
        return subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, env=env, start_new_session=True)

    def wait_for(self, condition, seconds=60):
        until = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.02)

    def ended(self, process, which, seconds=30):
        # To the whole group, as a terminal does.
        os.killpg(process.pid, which)
        _, said = process.communicate(timeout=seconds)
        self.assertEqual(process.returncode, 128 + which, said)
        self.assertEqual(len(said.strip().splitlines()), 1, said)
        self.assertIn("interrupted", said)
        return said

    def size(self, start):
        """Of the file in the folder whose name begins so."""
        names = [name for name in os.listdir(self.folder.name) if name.startswith(start)]
        return sum(os.path.getsize(self.path(name)) for name in names)

    def test_a_run_keeps_its_frames(self):
        for which in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(which):
                run = self.started("run", "spinning-cube", "--frames", 1_000_000, "--ledger", self.path("l.csv"),
                                   "--save-run", self.path("a.run"), "--summary", self.path("s.json"), "--plot",
                                   self.path("p.svg"))
                self.wait_for(lambda: self.size("a.run.partial") > 100_000)
                said = self.ended(run, which)
                frames = len(self.rows("l.csv")) - 1
                self.assertIn(f"frame {frames} of 1000000", said)
                self.assertEqual(json.loads(content(self.path("s.json")))["frames"], frames)
                self.assertEqual(sorted(os.listdir(self.folder.name)), ["a.run", "l.csv", "p.svg", "s.json"])
                again = rebound("run", "--replay", self.path("a.run"))
                self.assertEqual(again.returncode, 0, again.stderr)
                self.assertIn(f"{frames} frames as recorded", again.stdout)

    def test_a_frame_that_takes_long_is_not_waited_for(self):
        scene = self.path("slow.json")
        with open(scene, "w", encoding="utf-8") as file:
            json.dump({"rebound": 1, "substeps": 1000, "solver": {"type": "newton"}, "bodies": [
                {"mesh": {"box": {"size": [1, 1, 1], "divisions": [16, 16, 16]}},
                 "material": {"model": "stable-neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000}}]}, file)
        for command, says, left in ((["run", "--ledger", self.path("l.csv")], "ends with frame 0", ["l.csv"]),
                                    (["measure"], "nothing is written", []),
                                    (["record", "-o", self.path("v.mp4")], "nothing is written", [])):
            with self.subTest(command[0]):
                work = self.started(command[0], scene, "--frames", 9, *command[1:], XDG_CACHE_HOME=self.path("cache"))
                time.sleep(3)
                self.assertIn(says, self.ended(work, signal.SIGINT, seconds=10))
                self.assertEqual(sorted(set(os.listdir(self.folder.name)) - {"slow.json", "cache"}), left)
                if left:
                    os.remove(self.path("l.csv"))

    def test_timeout_which_asks_twice_ends_it_in_order(self):
        for which in ("INT", "TERM"):
            with self.subTest(which):
                run = subprocess.run(["timeout", "-s", which, "3", PROGRAM, "run", "spinning-cube", "--frames", "10000000",
                                      "--ledger", self.path("l.csv"), "--save-run", self.path("a.run")],
                                     capture_output=True, text=True, check=False, timeout=60)
                self.assertEqual(run.returncode, 124)
                self.assertEqual(len(run.stderr.strip().splitlines()), 1, run.stderr)
                self.assertIn(f"frame {len(self.rows('l.csv')) - 1} of 10000000", run.stderr)
                self.assertEqual(sorted(os.listdir(self.folder.name)), ["a.run", "l.csv"])

    def test_what_waits_for_a_pipe_can_be_interrupted(self):
        os.mkfifo(self.path("pipe"))
        run = self.started("run", "spinning-cube", "--frames", 2, "--ledger", self.path("pipe"), "--states",
                           self.path("s.csv"))
        time.sleep(2)
        self.assertIn("pipe", self.ended(run, signal.SIGINT))
        self.assertEqual(os.listdir(self.folder.name), ["pipe"])

    def test_a_mesh_that_is_being_filled_can_be_left(self):
        mesh = self.write("wall.obj", "".join(f"v {i % 700} {i // 700} {i * i % 7}\n" for i in range(490_000)) + "".join(
            f"f {i} {i + 1} {i + 700}\nf {i + 1} {i + 701} {i + 700}\n" for i in range(1, 480_000) if i % 700))
        run = self.started("run", mesh, "--frames", 2, "--ledger", self.path("l.csv"))
        time.sleep(1)
        self.assertIn("nothing is written", self.ended(run, signal.SIGINT, seconds=20))
        self.assertEqual(os.listdir(self.folder.name), ["wall.obj"])

    def test_a_film_ends_where_it_was_interrupted(self):
        video = self.path("v.mp4")
        film = self.started("record", "spinning-cube", "-o", video, "--frames", 900, "--size", "160x120")
        self.wait_for(lambda: self.size("v.mp4.partial") > 10_000)
        said = self.ended(film, signal.SIGINT)
        self.assertIn("v.mp4 has the first", said)
        taken = int(said.split("the first ")[1].split()[0])
        probe = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames",
                                "-of", "csv=p=0", video], capture_output=True, text=True, check=True)
        self.assertEqual(int(probe.stdout), taken)
        self.assertEqual(os.listdir(self.folder.name), ["v.mp4"])

    def test_a_film_that_has_no_picture_yet_leaves_nothing(self):
        film = self.started("record", "spinning-cube", "-o", self.path("v.mp4"), "--frames", 1_000_000)
        self.wait_for(lambda: os.listdir(self.folder.name))
        time.sleep(1)
        self.assertIn("nothing is written", self.ended(film, signal.SIGTERM))
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_what_cannot_begin_is_neither_filmed_nor_measured(self):
        box = {"mesh": {"box": {"size": [1, 1, 1], "divisions": [2, 2, 2]}},
               "material": {"model": "stable-neo-hookean", "young": 1e5, "poisson": 0.3, "density": 1000}}
        crossed = self.path("crossed.json")
        with open(crossed, "w", encoding="utf-8") as file:
            json.dump({"rebound": 1, "solver": {"type": "newton"}, "contact": {"type": "barrier"}, "bodies": [
                box, {**box, "name": "other", "transform": {"translate": [0.5, 0.5, 0.5]}}]}, file)
        for command in (["run"], ["measure"], ["record", "-o", self.path("v.mp4")]):
            said = rebound(*command, crossed, "--frames", 2)
            self.assertEqual(said.returncode, 2, (command, said.stderr))
            self.assertIn("passes through", said.stderr)
            self.assertEqual(os.listdir(self.folder.name), ["crossed.json"])

    def test_a_film_of_what_fails_is_there_and_says_so(self):
        film = ("-o", self.path("v.mp4"), "--frames", 12, "--size", "160x120")
        said = rebound("record", "spinning-cube", *film, "--integrator", "forward-euler")
        self.assertEqual(said.returncode, 1, said.stderr)
        self.assertIn("forward-euler blew up", said.stderr)
        self.assertGreater(os.path.getsize(self.path("v.mp4")), 0)
        said = rebound("record", "spinning-cube", *film, "--compare", "backward-euler,forward-euler")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("note: frame", said.stderr)
        said = rebound("record", "spinning-cube", *film, "--compare", "bdf2,newmark", "--integrator", "bdf2")
        self.assertEqual(said.returncode, 2)
        self.assertIn("--compare", said.stderr)

    def test_a_film_of_a_run_that_is_another_says_so(self):
        run, film = self.path("a.run"), ("-o", self.path("v.mp4"), "--size", "160x120")
        self.assertEqual(rebound("run", "spinning-cube", "--frames", 6, "--save-run", run).returncode, 0)
        self.assertEqual(rebound("record", "--replay", run, *film).returncode, 0)
        with open(run, encoding="utf-8") as file:
            lines = file.readlines()
        with open(self.path("cut.run"), "w", encoding="utf-8") as file:
            file.writelines(lines[:-2])
        digit = lines[4][-6]
        lines[4] = lines[4][:-6] + ("0" if digit != "0" else "1") + lines[4][-5:]
        with open(self.path("other.run"), "w", encoding="utf-8") as file:
            file.writelines(lines)
        for name, says in (("other.run", "frame 3, pane 0: differs"), ("cut.run", "cut off after frame 5")):
            said = rebound("record", "--replay", self.path(name), *film)
            self.assertEqual(said.returncode, 1, said.stderr)
            self.assertIn(name + ": ", said.stderr)
            self.assertIn(says, said.stderr)

    def test_a_measurement_may_be_short(self):
        for frames in (0, 1, 2, 3):
            said = rebound("measure", "spinning-cube", "--integrator", "bdf2", "--frames", frames, "-o", self.path("m.json"),
                           "--plot", self.path("m.svg"), XDG_CACHE_HOME=self.path("cache"))
            self.assertEqual(said.returncode, 0, said.stderr)
            with open(self.path("m.json"), encoding="utf-8") as file:
                self.assertEqual(json.load(file)[0]["frames"], frames)
        said = rebound("measure", "dice", "--integrator", "bdf2,forward-euler", "--frames", 3)
        self.assertEqual((said.returncode, said.stdout), (2, ""))

    def test_a_value_that_is_missing_is_said(self):
        for words in (("--ledger", ""), ("--ledger", "--frames", 3), ("--summary=", "--frames", 1)):
            said = rebound("run", "spinning-cube", *words)
            self.assertEqual(said.returncode, 2, said.stderr)
            self.assertIn(f"{words[0].rstrip('=')}: its value is missing", said.stderr)

    def test_what_cannot_be_printed_is_no_success(self):
        for command in (["list", "integrators", "--json"], ["check", "spinning-cube"]):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([PROGRAM, *command], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("could not be written", done.stderr)

    def test_a_measurement_keeps_whole_rows_or_nothing(self):
        rows = self.path("m.json")
        measured = self.started("measure", "spinning-cube", "--frames", 20_000, "-o", rows,
                                XDG_CACHE_HOME=self.path("cache"))
        self.wait_for(lambda: os.path.exists(self.folder.name) and self.names("m.json"))
        time.sleep(1)
        self.assertIn("nothing is written", self.ended(measured, signal.SIGINT))
        self.assertEqual(self.names("m.json"), [])

    def names(self, start):
        return [name for name in os.listdir(self.folder.name) if name.startswith(start)]

    def test_an_encoder_that_never_ends_is_given_up(self):
        os.mkdir(self.path("bin"))
        for script in ("cat >/dev/null; exec sleep 1000", "cat >/dev/null; trap '' TERM INT; while :; do sleep 1; done"):
            with open(self.path("bin/ffmpeg"), "w") as file:
                file.write("#!/bin/sh\n" + script + "\n")
            os.chmod(self.path("bin/ffmpeg"), 0o755)
            began = time.monotonic()
            said = rebound("record", "spinning-cube", "-o", self.path("v.mp4"), "--frames", 3, "--size", "160x120",
                           PATH=self.path("bin") + ":" + os.environ["PATH"])
            self.assertLess(time.monotonic() - began, 55)
            self.assertNotEqual(said.returncode, 0)
            self.assertIn("ffmpeg did not end in time", said.stderr)
            self.assertEqual(len(said.stderr.strip().splitlines()), 1, said.stderr)
            self.assertEqual(os.listdir(self.folder.name), ["bin"])


class Names(Commands):
    def test_names_that_are_not_utf8_pass_through_every_output(self):
        folder = os.fsencode(self.folder.name)
        mesh = folder + b"/caf\xe9.obj"
        with open(mesh, "w") as file:
            file.write(SURFACE)
        outputs = {"--ledger": b"l\xff.csv", "--states": b"s\xff.csv", "--summary": b"s\xff.json",
                   "--save-run": b"a\xff.run", "--motion": b"m\xff.glb", "--plot": b"p\xff.svg", "--meshes": b"d\xff"}
        arguments = [PROGRAM.encode(), b"run", mesh, b"--frames", b"2"]
        for option, name in outputs.items():
            arguments += [option.encode(), folder + b"/" + name]
        result = subprocess.run(arguments, capture_output=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(os.listdir(folder)), sorted([b"caf\xe9.obj", *outputs.values()]))
        json.loads(content(folder + b"/s\xff.json").decode())
        content(folder + b"/p\xff.svg").decode()
        # The run finds its mesh again.
        again = subprocess.run([PROGRAM.encode(), b"run", b"--replay", folder + b"/a\xff.run"], capture_output=True,
                               timeout=60)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertIn(b"2 frames as recorded", again.stdout)

    def test_messages_about_meshes_keep_the_folder(self):
        os.mkdir(self.path("deep"))
        for name, text in (("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"), ("none.obj", "v 0 0 0\n"),
                           ("two.mesh", TETRAHEDRON.replace("0 0 1 0", "0 0 0 0"))):
            mesh = self.write("deep/" + name, text)
            said = self.refused("check", mesh)
            self.assertIn(mesh, said)

    def test_numbers_are_decimal(self):
        for number in ("0x10", "0b11", "1_000", "12 ", "ten", ""):
            self.refused("run", "spinning-cube", "--frames", number, says=["--frames"])
        self.refused("run", "spinning-cube", "--frames", 2, "--time-step", "0x1p-5", says=["--time-step", "decimal"])
        self.assertEqual(rebound("run", "spinning-cube", "--frames", "2e0").returncode, 0)


if __name__ == "__main__":
    unittest.main(verbosity=1)
