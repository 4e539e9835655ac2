#!/usr/bin/env python3
"""The headless commands as a user and a script meet them: columns, bytes, exit statuses, one-line refusals."""
import csv
import json
import os
import re
import resource
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
COLUMNS = ("frame,time,kinetic,elastic,gravity,attachment,contact,total,target,added,dissipated,blend,"
           "px,py,pz,lx,ly,lz,iterations,step_ms").split(",")


# Seconds for one run; the long form's scenes have more frames.
LIMIT = 12 * max(10, int(os.environ.get("REBOUND_SCENE_FRAMES", "10")))


def rebound(*arguments, **environment):
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    env.update(environment)
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=LIMIT, env=env)


def spring(**changes):
    scene = {
        "rebound": 1, "timeStep": 0.02, "frames": 20, "gravity": [0, 0, 0],
        "integrator": {"type": "implicit-midpoint"}, "solver": {"type": "local-global", "iterations": 60},
        "bodies": [{"name": "pair", "mesh": {"vertices": [[0, 0, 0], [1.5, 0, 0]], "edges": [[0, 1]]},
                    "material": {"model": "springs", "stiffness": 100, "restLengths": [1.0]},
                    "masses": [1, 2], "velocities": [[0, 0, 0], [0, 1, 0]]}],
    }
    scene.update(changes)
    return scene


class Glb:
    """A binary glTF file, read by what its specification says."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        magic, version, length, json_length, json_kind = struct.unpack_from("<4sIII4s", data)
        assert (magic, version, length, json_kind) == (b"glTF", 2, len(data), b"JSON"), data[:20]
        self.json = json.loads(data[20:20 + json_length])
        size, kind = struct.unpack_from("<I4s", data, 20 + json_length)
        assert kind == b"BIN\0"
        self.binary = data[28 + json_length:28 + json_length + size]

    def numbers(self, view, offset, count, kind):
        begin = self.json["bufferViews"][view].get("byteOffset", 0) + offset
        assert begin % 4 == 0
        return list(struct.unpack_from(f"<{count}{kind}", self.binary, begin))

    def floats(self, accessor):
        a = self.json["accessors"][accessor]
        assert a["componentType"] == 5126
        width = {"SCALAR": 1, "VEC3": 3}[a["type"]]
        if "bufferView" in a:
            values = self.numbers(a["bufferView"], a.get("byteOffset", 0), width * a["count"], "f")
        else:
            values = [0.0] * (width * a["count"])
        if "sparse" in a:
            s = a["sparse"]
            places = self.numbers(s["indices"]["bufferView"], s["indices"].get("byteOffset", 0), s["count"], "I")
            for place, value in zip(places, self.numbers(s["values"]["bufferView"], s["values"].get("byteOffset", 0),
                                                         s["count"], "f")):
                values[place] = value
        for c in range(width if "min" in a else 0):
            assert min(values[c::width]) == a["min"][c] and max(values[c::width]) == a["max"][c], a
        return values


class Commands(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, content):
        with open(self.path(name), "w") as file:
            file.write(content if isinstance(content, str) else json.dumps(content))
        return self.path(name)

    def refused(self, *arguments, status=2, says=()):
        result = rebound(*arguments)
        self.assertEqual(result.returncode, status, result.stderr + result.stdout)
        self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
        for word in says:
            self.assertIn(word, result.stderr)
        return result.stderr

    def rows(self, name):
        with open(self.path(name)) as file:
            return list(csv.DictReader(file))


class Run(Commands):
    def test_the_ledger_has_the_public_columns_and_a_row_a_frame(self):
        scene = self.write("spring.json", spring())
        self.assertEqual(rebound("run", scene, "--ledger", self.path("l.csv")).returncode, 0)
        with open(self.path("l.csv")) as file:
            self.assertEqual(file.readline().strip().split(",")[:20], COLUMNS)
        rows = self.rows("l.csv")
        self.assertEqual([int(r["frame"]) for r in rows], list(range(21)))
        for r in rows:
            parts = sum(float(r[k]) for k in ("kinetic", "elastic", "gravity", "attachment", "contact"))
            self.assertAlmostEqual(float(r["total"]), parts, delta=1e-12 * abs(parts))
            self.assertAlmostEqual(float(r["time"]), 0.02 * int(r["frame"]), delta=1e-12)
            self.assertEqual(r["blend"], "")
        self.assertAlmostEqual(float(rows[0]["kinetic"]), 1.0)
        self.assertAlmostEqual(float(rows[0]["elastic"]), 12.5)
        self.assertAlmostEqual(float(rows[0]["py"]), 2.0)
        self.assertAlmostEqual(float(rows[0]["lz"]), 3.0)
        # Midpoint keeps angular momentum to rounding.
        self.assertAlmostEqual(float(rows[-1]["lz"]), 3.0, delta=1e-11)

    def test_states_are_exact_and_follow_each_other(self):
        scene = self.write("spring.json", spring())
        rebound("run", scene, "--states", self.path("s.csv"), "--frames", 5)
        rows = self.rows("s.csv")
        self.assertEqual(list(rows[0]), "frame,body,vertex,x,y,z,vx,vy,vz".split(","))
        self.assertEqual(len(rows), 6 * 2)
        # Eq. 5: x_{n+1} = x_n + h (v_n + v_{n+1}) / 2, to the last digits that the file keeps.
        for now, then in zip(rows[:-2], rows[2:]):
            for c in "xyz":
                expected = float(now[c]) + 0.01 * (float(now["v" + c]) + float(then["v" + c]))
                self.assertAlmostEqual(float(then[c]), expected, delta=1e-14)

    def test_the_same_command_gives_the_same_bytes_whatever_the_threads(self):
        outputs = []
        for name, threads in (("a", 1), ("b", 2), ("c", 3)):
            rebound("run", "spinning-cube", "--frames", 40, "--threads", threads, "--ledger", self.path(name),
                    "--states", self.path(name + "s"))
            ledger = [[v for k, v in r.items() if k != "step_ms"] for r in self.rows(name)]
            with open(self.path(name + "s"), "rb") as file:
                outputs.append((ledger, file.read()))
        self.assertEqual(outputs[0], outputs[1])
        self.assertEqual(outputs[0], outputs[2])

    def test_options_override_the_scene(self):
        scene = self.write("spring.json", spring())
        result = rebound("run", scene, "--integrator", "backward-euler", "--time-step", 0.01, "--frames", 3,
                         "--set", "/bodies/0/material/stiffness=50", "--summary", self.path("s.json"))
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(self.path("s.json")) as file:
            summary = json.load(file)
        self.assertEqual(summary["integrator"], "backward-euler")
        self.assertAlmostEqual(summary["time"], 0.03)
        self.assertAlmostEqual(summary["energy"]["initial"], 1 + 0.5 * 50 * 0.25)

    def test_the_blend_column_is_filled_by_stabilized(self):
        rebound("run", "spinning-cube", "--frames", 60, "--ledger", self.path("l.csv"))
        blends = [r["blend"] for r in self.rows("l.csv")][1:]
        self.assertTrue(all(b != "" and -1 <= float(b) <= 1 for b in blends))
        self.assertTrue(any(float(b) > 0 for b in blends))

    def test_meshes_are_written_a_frame(self):
        rebound("run", "spinning-cube", "--frames", 2, "--meshes", self.path("out"))
        self.assertEqual(len(os.listdir(self.path("out"))), 3)

    def test_a_motion_file_holds_every_frame_of_every_body_at_its_time(self):
        scene = spring(bodies=spring()["bodies"] + [
            {"name": "box", "mesh": {"box": {"size": [1, 1, 1], "divisions": [2, 2, 2]}}, "angularVelocity": [0, 0, 3],
             "material": {"model": "arap", "young": 1e5, "density": 1000}}])
        result = rebound("run", self.write("two.json", scene), "--frames", 6, "--motion", self.path("m.glb"),
                         "--meshes", self.path("obj"))
        self.assertEqual(result.returncode, 0, result.stderr)
        motion = Glb(self.path("m.glb"))
        self.assertEqual([n["name"] for n in motion.json["nodes"]], ["pair", "box"])
        animation, = motion.json["animations"]
        sampler, = animation["samplers"]
        for got, k in zip(motion.floats(sampler["input"]), range(7)):
            self.assertAlmostEqual(got, 0.02 * k, delta=1e-7)
        self.assertEqual([c["target"] for c in animation["channels"]],
                         [{"node": n, "path": "weights"} for n in range(2)])
        weights = motion.floats(sampler["output"])
        self.assertEqual(weights, [float(t == k - 1) for k in range(7) for t in range(6)])
        for body, name in enumerate(("pair", "box")):
            primitive, = motion.json["meshes"][body]["primitives"]
            self.assertEqual(primitive.get("mode", 4), (1, 4)[body])
            base = motion.floats(primitive["attributes"]["POSITION"])
            for k in range(7):
                # The same frame of the OBJ sequence, written by other code.
                with open(os.path.join(self.path("obj"), f"{name}_{body}_{k:06}.obj")) as file:
                    wanted = [float(v) for line in file if line.startswith("v ") for v in line.split()[1:4]]
                moved = motion.floats(primitive["targets"][k - 1]["POSITION"]) if k else [0] * len(base)
                for b, d, w in zip(base, moved, wanted, strict=True):
                    self.assertAlmostEqual(b + d, w, delta=1e-6)
            if name == "box":
                for k in range(6):
                    base_normals = motion.floats(primitive["attributes"]["NORMAL"])
                    n = [a + b for a, b in zip(base_normals, motion.floats(primitive["targets"][k]["NORMAL"]))]
                    for i in range(0, len(n), 3):
                        self.assertAlmostEqual(sum(c * c for c in n[i:i + 3]), 1, delta=1e-5)
        self.refused("run", "spinning-cube", "--motion", self.path("m.abc"), says=["m.abc", ".glb"])

    def test_a_motion_that_does_not_fit_on_the_disk_leaves_no_half_file(self):
        def small_files():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        result = subprocess.run([PROGRAM, "run", "spinning-cube", "--frames", "30", "--motion", self.path("m.glb")],
                                capture_output=True, text=True, timeout=60, preexec_fn=small_files, restore_signals=False)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
        self.assertIn("m.glb", result.stderr)
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_a_simulation_that_fails_says_when_and_why_and_keeps_its_finite_frames(self):
        result = rebound("run", "spinning-cube", "--integrator", "forward-euler", "--frames", 5000,
                         "--ledger", self.path("l.csv"), "--summary", self.path("s.json"))
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stderr.strip().splitlines()), 1)
        rows = self.rows("l.csv")
        self.assertIn(f"frame {len(rows)}:", result.stderr)
        self.assertIn("forward-euler", result.stderr)
        for r in rows:
            self.assertTrue(all(abs(float(v)) < float("inf") for k, v in r.items() if v != "" or k not in ("blend", "alpha", "visible_kinetic", "shiver", "residual", "constraint_force", "constraint_drift", "constraint_work", "last_correction")))
        with open(self.path("s.json")) as file:
            self.assertIn("blew up", json.load(file)["failure"])

    def test_no_half_written_file_has_its_final_name(self):
        missing = self.path("no/such/folder/l.csv")
        self.refused("run", "spinning-cube", "--frames", 2, "--ledger", missing, says=["l.csv"])
        self.refused("run", "spinning-cube", "--frames", 2, "--ledger", self.folder.name, says=["folder"])
        self.assertEqual(os.listdir(self.folder.name), [])


class Replay(Commands):
    def saved(self, *arguments):
        run = self.path("a.run")
        result = rebound("run", *arguments, "--save-run", run)
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(run) as file:
            return run, file.read().splitlines(keepends=True)

    def test_a_run_gives_the_same_bytes_again_whatever_the_threads(self):
        run, lines = self.saved("spinning-cube", "--integrator", "bdf2", "--set", "/bodies/0/material/young=2e5",
                                "--frames", 30, "--states", self.path("first.csv"), "--threads", 1)
        self.assertEqual(len(lines), 1 + 31 + 1)
        for threads in (1, 2, 3):
            result = rebound("run", "--replay", run, "--threads", threads, "--states", self.path("again.csv"))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("30 frames as recorded", result.stdout)
            with open(self.path("first.csv"), "rb") as first, open(self.path("again.csv"), "rb") as again:
                self.assertEqual(first.read(), again.read())
        # Of a replay the same file can be made.
        rebound("run", "--replay", run, "--save-run", self.path("b.run"))
        with open(self.path("b.run")) as file:
            self.assertEqual(file.read(), "".join(lines))

    def with_a_hand(self):
        run, lines = self.saved("spinning-cube", "--frames", 12)
        grab = {"frame": 5, "do": "grab", "body": 0, "vertex": 3, "target": [1, 1, 1], "strength": 1}
        at = next(i for i, line in enumerate(lines) if line.startswith('{"frame":5,')) + 1
        return lines[:at] + [json.dumps(grab) + "\n"] + lines[at:]

    def test_what_differs_is_said_with_its_frame(self):
        # Nobody took hold of the body when this was recorded.
        run = self.write("b.run", "".join(self.with_a_hand()))
        said = self.refused("run", "--replay", run, status=1, says=["b.run", "frame 6, pane 0: differs"])
        self.assertNotIn("frame 5", said)
        _, lines = self.saved("spinning-cube", "--frames", 12)
        digit = lines[8][-6]  # of the state's hash
        lines[8] = lines[8][:-6] + ("0" if digit != "0" else "1") + lines[8][-5:]
        self.refused("run", "--replay", self.write("c.run", "".join(lines)), status=1, says=["frame 7, pane 0: differs"])
        lines[0] = lines[0].replace('"young":1000000.0', '"young":1000001.0')
        self.refused("run", "--replay", self.write("d.run", "".join(lines)), status=1, says=["pane 0: differs"])

    def test_a_killed_byte_is_one_clear_line(self):
        run, lines = self.saved("spinning-cube", "--frames", 12)
        text = "".join(lines)
        for at in range(0, len(text), 97):
            self.write("b.run", text[:at] + "\0" + text[at + 1:])
            result = rebound("run", "--replay", self.path("b.run"))
            self.assertIn(result.returncode, (1, 2), f"byte {at}: {result.stderr}")
            self.assertEqual(len(result.stderr.strip().splitlines()), 1, result.stderr)
            self.assertIn("b.run", result.stderr)

    def test_what_a_crash_leaves_is_replayed_and_said_to_be_cut(self):
        run, lines = self.saved("spinning-cube", "--frames", 12)
        for text, last in (("".join(lines)[:-1], 12), ("".join(lines[:-1]), 12), ("".join(lines[:-1])[:-20], 11),
                           ("".join(lines[:5]), 3)):
            self.refused("run", "--replay", self.write("cut.run", text), status=1,
                         says=[f"cut.run: the file is cut off after frame {last}", "as recorded"])
        # So many as are asked for are there.
        result = rebound("run", "--replay", self.path("cut.run"), "--frames", 2)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.refused("run", "--replay", run, "--frames", 13, says=["--frames: 13", "12"])

    def test_what_is_no_run_is_said_in_our_words(self):
        self.saved("spinning-cube", "--frames", 2)
        binary = bytes(range(256)) * 20
        with open(self.path("video.run"), "wb") as file:
            file.write(binary)
        for name in (self.path("video.run"), self.write("text.run", "Dear all\n"), self.write("array.run", "[1, 2]\n"),
                     self.write("scene.run", spring())):
            said = self.refused("run", "--replay", name, says=[name + ":1: is no run", "--save-run"])
            self.assertNotIn("parsing", said)
        self.refused("run", self.path("a.run"), says=["a.run: is a run", "--replay"])
        with open(self.path("a.run")) as file:
            self.refused("run", "--replay", self.write("half.run", file.read(40)), says=["half.run: holds no frame"])

    def test_what_cannot_be_done_is_said_with_its_line(self):
        lines = self.with_a_hand()
        at = next(i for i, line in enumerate(lines) if "grab" in line)
        lines[at] = lines[at].replace('"vertex": 3', '"vertex": 300000')
        self.refused("run", "--replay", self.write("b.run", "".join(lines)), says=[f"b.run:{at + 1}: ", "300000"])

    def test_a_failure_comes_again(self):
        run = self.path("a.run")
        first = rebound("run", "spinning-cube", "--integrator", "forward-euler", "--frames", 5000, "--save-run", run)
        self.assertEqual(first.returncode, 1)
        self.assertIn("body 'cube'", first.stderr)
        again = rebound("run", "--replay", run)
        self.assertEqual(again.returncode, 1)
        self.assertEqual(again.stderr.split(": frame ")[1], first.stderr.split(": frame ")[1])

    def test_meshes_go_by_their_contents(self):
        mesh = "MeshVersionFormatted 1\nDimension 3\nVertices 4\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n" \
               "Tetrahedra 1\n1 2 3 4 0\nEnd\n"
        self.write("tet.mesh", mesh)
        scene = self.write("tet.json", {"rebound": 1, "frames": 5, "bodies": [{"mesh": {"file": "tet.mesh"}}]})
        run, _ = self.saved(scene)
        self.assertEqual(rebound("run", "--replay", run).returncode, 0)
        self.write("tet.mesh", mesh.replace("0 0 1 0", "0 0 2 0"))
        self.refused("run", "--replay", run, says=["a.run:1: /meshes/0", "tet.mesh"])
        os.remove(self.path("tet.mesh"))
        self.refused("run", "--replay", run, says=["tet.mesh"])

    def test_the_file_has_the_scene(self):
        run, _ = self.saved("spinning-cube", "--frames", 2)
        self.refused("run", "spinning-cube", "--replay", run, says=["--replay"])
        self.refused("run", "--replay", run, "--integrator", "bdf2", says=["--replay"])
        self.refused("run", "--replay", self.path("missing.run"), says=["missing.run"])
        self.refused("run", "--replay", self.write("scene.json", spring()), says=["scene.json:1", "rebound-run"])


class Refusals(Commands):
    def test_command_lines(self):
        self.refused("run", "spinning-cube", "--time-step", 0, says=["time-step", "1e-5"])
        self.refused("run", "spinning-cube", "--time-step", "nan", says=["time-step"])
        self.refused("run", "spinning-cube", "--iterations", 0, says=["iterations"])
        self.refused("run", "spinning-cube", "--iterations", 1.5, says=["iterations"])
        self.refused("run", "spinning-cube", "--frames", -1, says=["frames"])
        self.refused("run", "spinning-cube", "--integrator", "magic", says=["magic", "stabilized"])
        self.refused("run", "spinning-cube", "--solver", "simplex", says=["simplex", "newton"])
        self.refused("run", "spinning-cube", "--solver", "magic", says=["magic", "local-global"])
        self.refused("run", "spinning-cube", "--set", "/bodies/0/material/young=-3", says=["/bodies/0/material/young"])
        self.refused("run", "spinning-cube", "--set", "nonsense")
        self.refused("run", "spinning-cube", "--no-such-option")
        self.refused("run", says=["scene"])
        self.refused("run", "spining-cube", says=["spinning-cube"])

    def test_what_was_mistyped_is_guessed(self):
        for words, guess in ((("recrod", "spinning-cube", "-o", "x.mp4"), "record"), (("recrod",), "record"),
                             (("run", "spinning-cube", "--ledgre", "l.csv"), "--ledger"),
                             (("list", "scene"), "scenes"), (("swinging-bunni",), "swinging-bunny"),
                             (("run", "spinning-cube", "--integrator", "stabilised"), "stabilized"),
                             (("run", "spinning-cube", "--solver", "local-globl"), "local-global"),
                             (("record", "spinning-cube", "-o", "x.mp4", "--compare", "bdf3"), "bdf2"),
                             (("record", "spinning-cube", "-o", "x.mp4", "--layout", "rwo"), "row"),
                             (("bench", "frame/buny"), "frame/bunny")):
            with self.subTest(words):
                self.refused(*words, says=[f"did you mean '{guess}'?"])

    def test_what_is_wrong_with_options_is_said_in_plain_words(self):
        for words, says in ((("record", "spinning-cube"), ["--output is missing", "rebound record --help"]),
                            (("check",), ["scene is missing"]), (("list",), ["kind is missing"]),
                            (("run", "spinning-cube", "--frames"), ["--frames: its value is missing: INT"]),
                            (("run", "spinning-cube", "--frames", 1, "--frames", 2), ["--frames", "more than once"]),
                            (("run", "spinning-cube", "else"), ["'else' is one argument too many"]),
                            (("record", "spinning-cube", "-o", "x.mp4", "--light=3"), ["--light takes no value"]),
                            (("run", "spinning-cube", "--frames", 10.5), ["--frames: 10.5 is not a whole number"]),
                            (("run", "spinning-cube", "--threads", 1.5), ["--threads: 1.5 is not a whole number"]),
                            (("run", "spinning-cube", "--set", "/frames=}"), ["--set /frames", "a value is expected"])):
            with self.subTest(words):
                said = self.refused(*words, says=says)
                self.assertNotRegex(said, r"TEXT|FLOAT|[Rr]equired|not expected|json\.exception|literal")

    def test_whole_numbers_are_named_so_in_the_help(self):
        for command in ("run", "record", "measure", "check", "bench"):
            said = rebound(command, "--help").stdout
            self.assertNotIn("FLOAT", said)
            for option in re.findall(r"--(?:frames|threads|iterations|substeps|seed) (\S+)", said):
                self.assertEqual(option, "INT")

    def test_scenes(self):
        self.refused("check", self.path("missing.json"), says=["missing.json"])
        self.refused("check", self.folder.name)
        os.mkfifo(self.path("pipe.json"))
        self.refused("run", self.path("pipe.json"), says=["pipe.json", "no regular file"])
        self.refused("check", self.write("a.json", "{ nonsense"), says=["a.json:1"])
        self.refused("check", self.write("b.json", spring(timestep=1)), says=["timestep", "timeStep"])
        squared = spring()
        squared["bodies"][0]["material"]["law"] = "squared"
        self.refused("check", self.write("c.json", squared), says=["squared", "law"])
        self.refused("check", self.write("d.json", spring(timeStep=0)), says=["timeStep"])

    def test_meshes(self):
        self.refused("check", self.write("nan.obj", "v 0 0 0\nv 1 0 0\nv nan 1 0\nf 1 2 3\n"), says=["nan.obj:3"])
        self.refused("check", self.write("index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"), says=["index.obj:4", "9"])
        self.refused("check", self.write("none.obj", "v 0 0 0\n"), says=["none.obj"])
        self.refused("check", self.write("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
                     says=["one.obj", "too few to hold a volume", "closed surface"])
        flat = "MeshVersionFormatted 1\nDimension 3\nVertices 5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 0 0\n" \
               "Tetrahedra 2\n1 2 3 4 0\n1 2 3 5 0\nEnd\n"
        self.refused("check", self.write("flat.mesh", flat), says=["flat.mesh", "volume"])

    def test_so_many_tetrahedra_as_are_asked_for(self):
        meshes = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "assets", "meshes")
        for name in ("bunny", "frog", "duck"):
            for wanted in (3000, 12000):
                said = rebound("check", os.path.join(meshes, name + ".obj"), "--set",
                               f"/bodies/0/mesh/tetrahedralize/tets={wanted}").stdout
                made = int(re.search(r"vertices, (\d+) tetrahedra", said)[1])
                self.assertLess(abs(made / wanted - 1), 0.15, f"{name}: {said}")

    def test_obstacles_and_contacts_are_told(self):
        told = rebound("check", "folding-cloth").stdout
        self.assertRegex(told, r"obstacle 0 'ball': sphere, \S+ N/m a point, friction \S+\n")
        self.assertRegex(told, r"contact: bodies meet themselves, 100 N/m a point, friction 0.3\n")
        held = {"rebound": 1, "integrator": {"type": "bdf2"}, "solver": {"type": "newton"}, "energy": [{"factor": 0.5}],
                "bodies": [{"mesh": {"box": {"divisions": [2, 2, 2]}}, "fixed": {"box": [[5, 5, 5], [6, 6, 6]]}}],
                "obstacles": [{"plane": {}, "transform": {"translate": [0, -1, 0]}, "meets": "constraint", "stiffness": 5},
                              {"plane": {}, "transform": {"translate": [0, -2, 0]}, "meets": "cubic"}]}
        told = rebound("check", self.write("held.json", json.dumps(held))).stdout
        self.assertIn("/bodies/0/fixed: holds nothing, as no vertex lies in it; they lie between [-0.5, -0.5, -0.5] and "
                      "[0.5, 0.5, 0.5]", told)
        self.assertIn("/obstacles/0/stiffness: has no effect", told)
        self.assertIn("/energy: has no effect, as integrator 'bdf2' does not read it", told)
        self.assertIn("plane, a constraint that nothing sinks into, friction", told)
        self.assertRegex(told, r"plane, \S+ N/m\^2 a point, cubic, friction")


class Record(Commands):
    def test_a_comparison_is_filmed_in_simulated_time_without_a_display(self):
        video = self.path("v.mp4")
        result = rebound("record", "spinning-cube", "-o", video, "--compare", "backward-euler,stabilized",
                         "--frames", 20, "--size", "320x240")
        self.assertEqual(result.returncode, 0, result.stderr)
        probe = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                                "stream=nb_read_frames,width,height,r_frame_rate", "-of", "json", video],
                               capture_output=True, text=True, check=True)
        stream = json.loads(probe.stdout)["streams"][0]
        self.assertEqual((stream["width"], stream["height"], stream["r_frame_rate"]), (320, 240, "30/1"))
        self.assertEqual(int(stream["nb_read_frames"]), 20)  # 0.66 s at 30 pictures a second, both ends
        self.assertEqual(os.listdir(self.folder.name), ["v.mp4"])

    def test_the_ending_chooses_the_format(self):
        for name, codec in (("v.webm", "vp9"), ("v.gif", "gif"), ("v.mkv", "h264")):
            with self.subTest(name):
                result = rebound("record", "spinning-cube", "-o", self.path(name), "--frames", 10, "--size", "161x121")
                self.assertEqual(result.returncode, 0, result.stderr)
                probe = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                                        "stream=codec_name,nb_read_frames,width,height:format=duration", "-of", "json",
                                        self.path(name)], capture_output=True, text=True, check=True)
                video = json.loads(probe.stdout)
                stream = video["streams"][0]
                self.assertEqual((stream["codec_name"], int(stream["nb_read_frames"])), (codec, 10))
                self.assertEqual((stream["width"], stream["height"]), (160, 120))
                self.assertAlmostEqual(float(video["format"]["duration"]), 10 / 30, delta=0.02)
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["v.gif", "v.mkv", "v.webm"])

    def pictures(self, name, *arguments):
        result = rebound("record", *arguments, "-o", self.path(name) + "/", "--size", "320x240")
        self.assertEqual(result.returncode, 0, result.stderr)
        return sorted(os.listdir(self.path(name)))

    def content_of(self, name, picture):
        with open(os.path.join(self.path(name), picture), "rb") as file:
            return file.read()

    def test_a_saved_run_is_filmed_as_the_scene_that_it_was(self):
        run = self.path("a.run")
        self.assertEqual(rebound("run", "spinning-cube", "--frames", 12, "--save-run", run).returncode, 0)
        first = self.pictures("scene", "spinning-cube", "--frames", 12, "--plot", "off")
        self.assertEqual(self.pictures("run", "--replay", run, "--plot", "off"), first)
        self.assertEqual(len(first), 12)  # 0.396 s at 30 pictures a second, both ends
        self.refused("record", "spinning-cube", "--replay", run, "-o", self.path("v.mp4"), says=["--replay"])
        self.refused("record", run, "-o", self.path("v.mp4"), says=["is a run", "--replay"])
        self.refused("record", "--replay", self.write("no.run", "Dear all"), "-o", self.path("v.mp4"), says=["is no run"])

    def test_the_last_seconds_are_the_end_of_all(self):
        self.assertEqual(len(self.pictures("all", "spinning-cube", "--frames", 30, "--fps", 10)), 10)
        self.assertEqual(len(self.pictures("last", "spinning-cube", "--frames", 30, "--fps", 10, "--last", 0.5)), 6)
        self.assertEqual(len(self.pictures("more", "spinning-cube", "--frames", 30, "--fps", 10, "--last", 99)), 10)
        self.refused("record", "spinning-cube", "-o", self.path("v.mp4"), "--last", 0, says=["--last"])

    def test_layouts_and_plots_differ(self):
        films = {}
        for layout in ("row", "column", "grid"):
            for plot in ("one", "each", "off"):
                name = f"{layout}-{plot}"
                self.pictures(name, "spinning-cube", "--compare", "bdf2,stabilized,implicit-midpoint", "--frames", 2,
                              "--layout", layout, "--plot", plot)
                films[name] = self.content_of(name, "00001.png")
        self.assertEqual(len(set(films.values())), 9)

    def test_bodies_are_filmed_in_the_colours_of_a_field(self):
        films = {}
        for colors in ("plain", "stress", "strain", "energy"):
            self.pictures(colors, "elastic-bar", "--frames", 6, "--fps", 10, "--colors", colors)
            films[colors] = self.content_of(colors, "00001.png")
        self.assertEqual(len(set(films.values())), 4)
        self.refused("record", "hanging-cloth", "--frames", 3, "-o", self.path("v.mp4"), "--colors", "stress",
                     says=["--colors", "von Mises stress", "strain"])
        self.pictures("springs", "hanging-cloth", "--frames", 3, "--colors", "strain")
        self.assertFalse(os.path.exists(self.path("v.mp4")))

    def traced(self, *arguments):
        trace = self.path("trace.csv")
        result = rebound("run", *arguments, "--solve-trace", trace)
        self.assertEqual(result.returncode, 0, result.stderr)
        return self.rows("trace.csv")

    def test_the_iterates_of_a_frame_are_filmed(self):
        # At a picture a second each still has one, and the last one two.
        scene = ("stretched-rubber", "--integrator", "backward-euler")
        for frame in (1, 3):
            iterates = {}
            for solver in ("gast", "newton"):
                rows = self.traced(*scene, "--frames", frame, "--solver", solver)
                iterates[solver] = sum(row["frame"] == str(frame) for row in rows)
                name = f"{solver}-{frame}"
                names = self.pictures(name, *scene, "--solver", solver, "--iterates", frame, "--fps", 1)
                self.assertEqual(len(names), iterates[solver] + 2)
                shots = [self.content_of(name, picture) for picture in names]
                self.assertEqual(len(set(shots)), iterates[solver] + 1, "each still is another one")
                self.assertEqual(shots[-1], shots[-2])
            both = self.pictures(f"both-{frame}", *scene, "--solvers", "gast,newton", "--iterates", frame, "--fps", 1)
            self.assertEqual(len(both), max(iterates.values()) + 2)
        for plot in ("each", "off"):
            self.pictures(plot, *scene, "--solver", "newton", "--iterates", 1, "--fps", 1, "--plot", plot)
        self.assertEqual(len({self.content_of(name, "00002.png") for name in ("newton-1", "each", "off")}), 3)

    def test_what_has_no_iterates_to_film_is_refused(self):
        video = self.path("v.mp4")
        film = ("record", "spinning-cube", "-o", video, "--iterates")
        for solver in ("local-global", "quasi-newton"):
            for option in ("--solver", "--solvers"):
                self.refused(*film, 1, option, solver, says=["--iterates", solver, '"newton", "newton-cg", "gast"'])
        self.refused(*film, 1, "--solver", "gast", "--integrator", "forward-euler", says=["forward-euler", "minimises nothing"])
        for frame, says in ((0, "frame 0 is the start"), (-1, "not within"), (1.5, "not a whole number"), ("x", "--iterates")):
            self.refused(*film, frame, "--solver", "gast", says=[says])
        self.refused(*film, 1, "--solvers", "gast,magic", says=["--solvers", "magic"])
        self.refused(*film, 1, "--solvers", ",".join(7 * ["gast"]), says=["--solvers: 7 solvers", "6"])
        self.refused(*film, 1, "--solver", "gast", "--solvers", "newton", says=["--solvers", "--solver"])
        for option in (("--compare", "bdf2"), ("--frames", 3), ("--last", 1)):
            self.refused(*film, 1, "--solver", "gast", *option, says=[option[0], "--iterates"])
        self.refused("record", "spinning-cube", "-o", video, "--solvers", "gast", says=["--solvers", "--iterates"])
        self.refused("record", "-o", video, "--iterates", 1, says=["needs a scene"])
        run = self.path("a.run")
        self.assertEqual(rebound("run", "spinning-cube", "--frames", 1, "--save-run", run).returncode, 0)
        self.refused("record", run, "-o", video, "--iterates", 1, says=["is a run"])
        self.refused("record", "--replay", run, "-o", video, "--iterates", 1, says=["--replay"])
        scene = self.write("b.mkv", spring(solver={"type": "newton"}))
        self.refused("record", scene, "-o", scene, "--iterates", 1, says=["--output", "the scene"])
        self.assertEqual(sorted(os.listdir(self.folder.name)), ["a.run", "b.mkv"])

    def test_an_explosion_is_told(self):
        for integrator, explodes in (("implicit-midpoint", True), ("stabilized", False)):
            with self.subTest(integrator):
                result = rebound("run", "spring-of-fig-2", "--integrator", integrator, "--frames", 60, "--summary",
                                 self.path("s.json"))
                self.assertEqual(result.returncode, 0, result.stderr)
                with open(self.path("s.json")) as file:
                    frame = json.load(file)["explodedAtFrame"]
                self.assertEqual(frame is not None, explodes)
                self.assertEqual(f"from frame {frame} on" in result.stderr, explodes, result.stderr)

    def test_meshes_of_an_earlier_run_are_told(self):
        for frames, told in ((5, False), (5, False), (2, True)):
            result = rebound("run", "spinning-cube", "--frames", frames, "--meshes", self.path("m"))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual("earlier run up to frame 5" in result.stderr, told, result.stderr)

    def test_films_may_be_small(self):
        for size in ("64x64", "128x128", "140x300", "154x154"):
            with self.subTest(size):
                result = rebound("record", "cantilever", "-o", self.path("v.mp4"), "--frames", 40, "--size", size)
                self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_gif_loops(self):
        self.assertEqual(rebound("record", "spinning-cube", "-o", self.path("v.gif"), "--frames", 3, "--size",
                                 "160x120").returncode, 0)
        with open(self.path("v.gif"), "rb") as file:
            said = file.read()
        at = said.index(b"NETSCAPE2.0")
        self.assertEqual(said[at + 11:at + 15], bytes([3, 1, 0, 0]))  # for ever

    def test_a_gif_has_the_pictures_that_are_told(self):
        result = rebound("record", "spinning-cube", "-o", self.path("v.gif"), "--frames", 30, "--size", "64x64", "--fps", 60)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("at most 50 pictures a second", result.stderr)
        told = int(result.stdout.split(" pictures")[0].split()[-1])
        probe = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames,r_frame_rate",
                                "-of", "csv=p=0", self.path("v.gif")], capture_output=True, text=True, check=True)
        self.assertEqual(probe.stdout.strip(), f"50/1,{told}")

    def test_pictures_need_no_ffmpeg_and_replace_none(self):
        folder = self.path("shots/")
        result = rebound("record", "spinning-cube", "-o", folder, "--frames", 4, "--size", "160x120", PATH="/nowhere")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(os.listdir(folder)), [f"{i:05}.png" for i in range(4)])
        self.refused("record", "spinning-cube", "-o", folder, "--frames", 4, says=["00000.png", "there already"])

    def test_what_is_missing_or_wrong_is_said(self):
        video = self.path("v.mp4")
        without = rebound("record", "spinning-cube", "-o", video, "--frames", 2, PATH=self.folder.name)
        self.assertEqual(without.returncode, 3)
        self.assertIn("ffmpeg", without.stderr)
        self.refused("record", "spinning-cube", "-o", video, "--compare", "magic", says=["magic"])
        self.refused("record", "spinning-cube", "-o", video, "--size", "big", says=["--size"])
        self.refused("record", "spinning-cube", "-o", self.path("v.txt"), "--frames", 2, says=[".mp4", ".webm", ".gif"])
        self.refused("record", "spinning-cube", says=["output"])
        self.assertEqual(os.listdir(self.folder.name), [])


class Others(Commands):
    def test_check_says_what_would_be_simulated(self):
        result = rebound("check", "spinning-cube")
        self.assertEqual(result.returncode, 0, result.stderr)
        for word in ("343 vertices", "1080 tetrahedra (the stiffest 1 times the median)", "memory", "h^2 k/m", "ok"):
            self.assertIn(word, result.stdout)

    def test_check_tells_of_slivers(self):
        corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0], [0.3, 0.3, -0.01]]
        tets = [[0, 1, 2, 3], [0, 2, 4, 3], [0, 2, 1, 5]]
        sliver = {"rebound": 1, "frames": 1, "bodies": [{"name": "leaf", "mesh": {"vertices": corners, "tetrahedra": tets}}]}
        result = rebound("check", self.write("sliver.json", sliver))
        self.assertEqual(result.returncode, 0, result.stderr)
        # Two corners of a cube, 4 / m^2 each, and a tet of a hundredth of a metre, about 1e4 / m^2.
        times = float(re.search(r"\(the stiffest ([0-9.e+]+) times the median\)", result.stdout)[1])
        self.assertGreater(times, 2000)
        self.assertLess(times, 10000)
        self.assertIn("warning: body 'leaf' has slivers", result.stdout)

    def test_every_built_in_scene_runs(self):
        scenes = [s["id"] for s in json.loads(rebound("list", "scenes", "--json").stdout)]
        self.assertGreaterEqual(len(scenes), 10)
        frames_of_all = int(os.environ.get("REBOUND_SCENE_FRAMES", "10"))  # the long form has more
        for scene in scenes:
            with self.subTest(scene):
                # From vertices thrown anywhere, or in one point, implicit midpoint has many solutions, and its steps take seconds.
                frames = 2 if scene.startswith(("randomised-", "collapsed-")) else frames_of_all
                # As it is; a scene that shows what goes wrong does not keep its energy.
                result = rebound("run", scene, "--frames", frames_of_all)
                self.assertEqual(result.returncode, 0, result.stderr)
                result = rebound("run", scene, "--integrator", "stabilized", "--frames", frames,
                                 "--ledger", self.path("l.csv"))
                if "keeps no constraints" in result.stderr or "are not kept by integrator" in result.stderr:
                    self.assertEqual(result.returncode, 2)
                    continue
                self.assertEqual(result.returncode, 0, result.stderr)
                for r in self.rows("l.csv"):
                    self.assertLessEqual(abs(float(r["total"]) - float(r["target"])), 0.02 * float(r["scale"]))

    def test_lists(self):
        integrators = [i["id"] for i in json.loads(rebound("list", "integrators", "--json").stdout)]
        for built in ("backward-euler", "bdf2", "implicit-midpoint", "stabilized"):
            self.assertIn(built, integrators)
        self.assertIn("local-global", rebound("list", "solvers").stdout)
        self.assertIn("arap", rebound("list", "materials").stdout)
        self.assertIn("steel", rebound("list", "presets").stdout)
        for kind in ("scenes", "integrators", "solvers", "materials", "presets"):
            ids = [row["id"] for row in json.loads(rebound("list", kind, "--json").stdout)]
            column = max(map(len, ids)) + 2
            for name, line in zip(ids, rebound("list", kind).stdout.splitlines(), strict=True):
                self.assertEqual(line[:column], name.ljust(column))
                self.assertNotEqual(line[column], " ")
        self.refused("list", "nonsense")

    def test_help_and_version_need_no_display(self):
        self.assertEqual(rebound("--help").returncode, 0)
        self.assertIn("rebound", rebound("--version").stdout)
        self.assertEqual(rebound("run", "--help").returncode, 0)


if __name__ == "__main__":
    unittest.main(verbosity=1)
