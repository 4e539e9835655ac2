#!/usr/bin/env python3
"""`rebound reproduce` as a user and a script meet it: reproduce_test.py PROGRAM SOURCE_FOLDER [--all-quick]

Rows of closed forms and one short row of each paper are run; with --all-quick all quick ones."""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.dom.minidom

ALL_QUICK = "--all-quick" in sys.argv
if ALL_QUICK:
    sys.argv.remove("--all-quick")
ASSETS = os.path.join(os.path.abspath(sys.argv.pop(2)), "assets")
PROGRAM = os.path.abspath(sys.argv.pop(1))
CLOSED_FORMS = ["1.1", "1.2", "3.17", "3.18", "3.19", "dinev18-fig-14", "dinev18-fig-16"]
SHORT = ["dinev18-fig-2", "dinev18-fig-3", "dinev18-fig-15"]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def command(*arguments, assets=ASSETS):
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return [PROGRAM, "reproduce", *map(str, arguments)], {**env, "REBOUND_ASSETS": assets}


def reproduce(*arguments, assets=ASSETS, seconds=250):
    words, env = command(*arguments, assets=assets)
    return subprocess.run(words, capture_output=True, text=True, timeout=seconds, env=env)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def verdicts(output):
    """ID -> verdict, of what the command prints."""
    found = re.findall(r"^(\S+)\s+(agrees|differs|not comparable|not yet)\b", output, re.M)
    return dict(found)


def cut(row, runs, **changes):
    """A row of the program with these runs alone (None: all), and what is measured of them by no clock."""
    row = json.loads(read(os.path.join(ASSETS, "papers", row + ".json")))
    names = runs or [run["name"] for run in row["runs"]]
    row["runs"] = [run for run in row["runs"] if run["name"] in names]
    assert len(row["runs"]) == len(names), [run["name"] for run in row["runs"]]
    row["numbers"] = [number for number in row["numbers"] if number["run"] in names and number.get("over", names[0]) in names
                      and "ms" not in number["measure"]]
    for what in ("plots", "film"):
        row.pop(what, None)
    return {**row, **changes}


class OwnRows:
    """The program's assets with rows of one's own."""

    def __init__(self, folder, **rows):
        self.path = os.path.join(folder, "assets")
        os.makedirs(os.path.join(self.path, "papers"))
        for name in ("scenes", "meshes"):
            os.symlink(os.path.join(ASSETS, name), os.path.join(self.path, name))
        for name, row in rows.items():
            self.write(name, row)

    def write(self, name, row):
        with open(os.path.join(self.path, "papers", name + ".json"), "w", encoding="utf-8") as file:
            json.dump(row, file)


def oscillator(value=1.0, **changes):
    row = {"row": 1, "paper": "Chen20", "place": "Fig. 18", "title": "An oscillator", "class": "A", "seconds": 1,
           "claim": "c", "look": "l", "parameters": [{"name": "z", "value": "1", "origin": "given"}],
           "runs": [{"name": "midpoint", "kind": "oscillator", "integrator": "implicit-midpoint", "z": [1]}],
           "numbers": [{"what": "size", "measure": "growth", "run": "midpoint", "at": 1,
                        "paper": {"value": value}, "expect": {"within": 1e-6}}]}
    row.update(changes)
    return row


def spinning(frames, **changes):
    row = oscillator(runs=[{"name": "long", "frames": frames}], scene="spinning-cube",
                     numbers=[{"what": "energy left", "measure": "energy_left", "run": "long", "expect": {"above": 0.5}}])
    row.update(changes)
    return row


class Reproduce(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.out = os.path.join(self.folder, "out")

    def refused(self, *arguments, says, assets=ASSETS, status=2):
        run = reproduce(*arguments, assets=assets)
        self.assertEqual(run.returncode, status, run.stderr)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        for part in says:
            self.assertIn(part, run.stderr)

    def test_the_list_has_all_rows_and_says_what_is_not_yet(self):
        rows = json.loads(reproduce("--list", "--json").stdout)
        by_id = {row["id"]: row for row in rows}
        self.assertEqual(len(by_id), len(rows))
        self.assertEqual(len(os.listdir(os.path.join(ASSETS, "papers"))), len(rows))
        self.assertEqual(by_id["1.1"]["state"], "ready")
        self.assertEqual(by_id["2.11"]["needs"], "snow")
        # The program's own list decides.
        integrators = json.loads(subprocess.run([PROGRAM, "list", "integrators", "--json"], capture_output=True, text=True,
                                                check=True).stdout)
        built = {i["id"] for i in integrators}
        self.assertEqual("the integrator siere" in by_id["1.6"]["needs"], "siere" not in built)
        self.assertEqual([row["id"] for row in rows if row["state"] == "not yet"], ["2.11"])
        only = json.loads(reproduce("--list", "--json", "--paper", "Gast15", "--class", "C").stdout)
        self.assertEqual([row["id"] for row in only], ["2.7", "2.7-125"])
        self.assertLess(sum(row["seconds"] for row in rows if row["quick"]), 300)

    def test_refusals(self):
        self.refused(says=["which rows?"])
        self.refused("1.1", says=["--output is required"])
        self.refused("dinev18-fig-33", "-o", self.out, says=["no row 'dinev18-fig-33'", "did you mean 'dinev18-fig-3'"])
        self.refused("1.1", "--jobs", "0", "-o", self.out, says=["--jobs", "is not within"])
        self.refused("1.1", "--meshes", "/nowhere", "-o", self.out, says=["--meshes", "is not a folder"])
        self.refused("--open", "2.11", says=["needs snow"])
        self.refused("--open", "1.1", says=["has no scene"])
        self.refused("--open", "dinev18-fig-5", says=["window"], status=3)  # there is no display here
        wrong = OwnRows(self.folder, broken=oscillator(numbers=[{"what": "w", "measure": "grwth", "run": "midpoint", "at": 1}]))
        self.refused("broken", "-o", self.out, assets=wrong.path, says=["broken.json", "/numbers/0/measure", "'growth'"])

    def test_a_scene_that_cannot_be_used_fails_its_row_alone(self):
        own = OwnRows(self.folder, good=oscillator(), bad=spinning(3, set={"/timeStep": 7}))
        run = reproduce("all", "-o", self.out, assets=own.path)
        self.assertEqual(run.returncode, 1)
        self.assertIn("bad: ", run.stderr)
        self.assertIn("/timeStep", run.stderr)
        self.assertEqual(verdicts(run.stdout), {"good": "agrees"})

    def test_another_result_or_another_number_of_the_paper_is_another_verdict(self):
        own = OwnRows(self.folder, row=oscillator())
        first = reproduce("row", "-o", self.out, assets=own.path)
        self.assertEqual(verdicts(first.stdout), {"row": "agrees"})
        self.assertIn('class="chip agrees"', read(os.path.join(self.out, "index.html")))
        results = os.path.join(self.out, "row", "results.json")
        kept = json.loads(read(results))
        self.assertAlmostEqual(kept["values"]["growth@1(midpoint)"], 1, 9)

        own.write("row", oscillator(value=1.5))
        second = reproduce("row", "-o", self.out, assets=own.path)
        self.assertIn("(kept)", second.stdout, "what the paper prints changes no run")
        self.assertEqual(verdicts(second.stdout), {"row": "differs"})
        self.assertIn('class="chip differs"', read(os.path.join(self.out, "index.html")))

        own.write("row", oscillator())
        kept["values"]["growth@1(midpoint)"] = 1.25
        with open(results, "w", encoding="utf-8") as file:
            json.dump(kept, file)
        third = reproduce("row", "-o", self.out, assets=own.path)
        self.assertEqual(verdicts(third.stdout), {"row": "differs"})
        self.assertIn("1.25", read(os.path.join(self.out, "index.html")))

        changed = oscillator()
        changed["runs"][0]["integrator"] = "backward-euler"
        own.write("row", changed)
        fourth = reproduce("row", "-o", self.out, assets=own.path)
        self.assertNotIn("(kept)", fourth.stdout, "another method is another run")
        self.assertEqual(verdicts(fourth.stdout), {"row": "differs"})

    def test_killed_and_started_again_it_goes_on(self):
        own = OwnRows(self.folder, a=oscillator(), b=spinning(2_000_000))
        words, env = command("all", "-o", self.out, assets=own.path)
        for how in (signal.SIGKILL, signal.SIGINT):
            run = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            self.assertIn("a ", run.stdout.readline())
            time.sleep(0.5)
            run.send_signal(how)
            _, said = run.communicate(timeout=60)
            self.assertEqual(run.returncode, -9 if how == signal.SIGKILL else 130)
        self.assertIn("goes on", said)
        self.assertFalse(os.path.exists(os.path.join(self.out, "b", "results.json")))
        own.write("b", spinning(20))
        gone = subprocess.Popen(["true"])
        gone.wait()
        left = {pid: os.path.join(self.out, "b", f"motion.mp4.partial-{pid}-3") for pid in (gone.pid, os.getpid())}
        for file in left.values():
            open(file, "w").close()
        again = reproduce("all", "--jobs", 2, "-o", self.out, assets=own.path)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertFalse(os.path.exists(left[gone.pid]), "of a process that is no more")
        self.assertTrue(os.path.exists(left[os.getpid()]), "of one that may be writing")
        self.assertRegex(again.stdout, r"(?m)^a .*\(kept\)$")
        self.assertEqual(verdicts(again.stdout), {"a": "agrees", "b": "agrees"})

    def test_folders_of_several_machines_are_laid_together(self):
        own = OwnRows(self.folder, a=oscillator(), b=spinning(5))
        for name in "ab":
            reproduce(name, "-o", os.path.join(self.folder, name), assets=own.path)
            shutil.copytree(os.path.join(self.folder, name, name), os.path.join(self.out, name))
        both = reproduce("all", "-o", self.out, assets=own.path)
        self.assertEqual(both.stdout.count("(kept)"), 2, both.stdout)

    def run_rows(self):
        """The closed forms and a short row of each paper; or all quick ones."""
        if ALL_QUICK:
            return reproduce("--quick", "-o", self.out, seconds=1200), ASSETS
        own = OwnRows(self.folder)
        for name in CLOSED_FORMS + SHORT:
            if os.path.exists(os.path.join(ASSETS, "papers", name + ".json")):
                shutil.copy(os.path.join(ASSETS, "papers", name + ".json"), os.path.join(own.path, "papers"))
        own.write("1.8-small", cut("1.8", ["SIERE", "semi-implicit"], frames=100))
        own.write("3.13-small", cut("3.13", [f"{method}, c = 1 m/s, 1/30 s" for method in ("BDF2", "A-1", "A-search")]))
        small = cut("2.5", None, frames=60)
        small["scene"]["bodies"][0]["mesh"]["box"]["divisions"] = [3, 3, 3]
        own.write("2.5-small", small)
        return reproduce("all", "-o", self.out, assets=own.path), own.path

    def test_rows_have_the_verdicts_that_were_found(self):
        run, assets = self.run_rows()
        self.assertEqual(run.returncode, 0, run.stderr)
        found = verdicts(run.stdout)
        # What is found wrong in the papers, and nothing else of the closed forms, differs.
        for row in CLOSED_FORMS + ["dinev18-fig-15"]:
            self.assertEqual(found[row], "differs" if row == "3.18" else "agrees", row)
        self.assertEqual(found["dinev18-fig-3"], "differs")
        if not ALL_QUICK:
            self.assertEqual([found[row] for row in ("1.8-small", "3.13-small")], ["agrees", "agrees"], run.stdout)
        page = read(os.path.join(self.out, "index.html"))
        for row in found:
            self.assertIn(f'id="{row}"', page)
        self.assertNotRegex(page, r'(src|href)="(?!#|data:)', "the page needs no other file")
        self.outputs_are_whole(os.path.join(self.out, "dinev18-fig-3"))
        self.is_filmed(os.path.join(self.out, "dinev18-fig-2"), pictures=2, seconds=60 * 0.033)
        if CHROMIUM:
            self.opens_in_a_browser(os.path.join(self.out, "index.html"), len(os.listdir(os.path.join(assets, "papers"))))

    def outputs_are_whole(self, folder):
        kept = json.loads(read(os.path.join(folder, "results.json")))
        for plot in kept["plots"]:
            drawn = xml.dom.minidom.parse(os.path.join(folder, plot))
            self.assertTrue(drawn.getElementsByTagName("polyline"), plot)
        self.assertTrue(kept["machine"] and kept["seconds"] > 0)
        tables = [name for name in os.listdir(folder) if name.endswith(".csv")]
        self.assertEqual(len(tables), len(kept["runs"]))
        head, *rows = read(os.path.join(folder, "Eq.-7-stabilized.csv")).splitlines()
        self.assertEqual(len(rows), 301)
        self.assertTrue(head.startswith("time,total,target,"))

    def is_filmed(self, folder, pictures, seconds):
        kept = json.loads(read(os.path.join(folder, "results.json")))
        self.assertEqual(len(kept["pictures"]), pictures)
        for name in kept["pictures"]:
            with open(os.path.join(folder, name), "rb") as file:
                self.assertEqual(file.read(3), b"\xff\xd8\xff", "a JPEG")
        probe = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0",
                                os.path.join(folder, kept["video"])], capture_output=True, text=True, check=True)
        self.assertAlmostEqual(float(probe.stdout), seconds, delta=0.11)

    def opens_in_a_browser(self, page, rows):
        profile = os.path.join(self.folder, "profile")
        run = subprocess.run([CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
                              f"--user-data-dir={profile}", "--dump-dom", "file://" + page],
                             capture_output=True, text=True, timeout=180, env={**os.environ, "HOME": self.folder})
        self.assertNotIn("CONSOLE", run.stderr)
        self.assertIn(f">{rows} rows<", run.stdout, "the script counts the rows")


if __name__ == "__main__":
    unittest.main(verbosity=1)
