"""What a person does with the window, and what must come of it. One case a run: window_test.py PROGRAM CASE."""
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

from window_driver import Skip, Window, display, environment, main, require, window

# Light scenes, so that the tests say something about the window and not about the machine.
CUBE = ["spinning-cube"]
BAR = ["elastic-bar"]


def opens(program):
    with window(program, *CUBE) as w:
        first = w.settled()
        assert first["scene"] == "Spinning cube", first
        later = w.wait(lambda s: s["frame"] > first["frame"] + 10, "it runs")
        assert later["glErrors"] == 0
        assert "Spinning cube" in w.xdotool("getwindowname", w.id)
        assert later["integrator"] == "stabilized", "a scene is what it says"
    with window(program) as w:
        by_itself = w.wait(lambda s: s["frame"] > 5, "it runs")
        assert by_itself["integrator"] == "rebound" and by_itself["scene"] == "Swinging bunny", by_itself


def drag_does_work(program):
    with window(program, *BAR, "--set", "/damping/coefficient=0.02") as w:
        start = w.body()
        assert w.state()["user"] == 0
        w.xdotool("mousemove", *start, "mousedown", 1)
        w.wait(lambda s: s["held"], "the body is held")
        for i in range(1, 11):
            w.xdotool("mousemove", start[0] + 16 * i, start[1] - 3 * i)
            time.sleep(0.03)
        pulled = w.wait(lambda s: s["user"] != 0, "the ledger shows the hand's work")
        assert pulled["held"], pulled
        w.xdotool("mouseup", 1)
        free = w.wait(lambda s: not s["held"], "it is let go")
        # What is pulled and let go swings on, at the energy that the ledger says.
        later = w.wait(lambda s: s["frame"] > free["frame"] + 20, "it swings on")
        assert later["user"] == free["user"], (free, later)
        assert not later["trouble"], later


def a_click_does_no_work(program):
    with window(program, *BAR, "--paused") as w:
        at = w.body()
        w.xdotool("mousemove", *at, "mousedown", 1)
        w.wait(lambda s: s["held"], "the body is held")
        w.xdotool("mouseup", 1)
        state = w.wait(lambda s: not s["held"], "it is let go")
        assert abs(state["user"]) < 1e-9 * max(1, abs(state["target"])), state


def integrator_by_key(program):
    with window(program, *CUBE) as w:
        before = w.wait(lambda s: s["integrator"] == "stabilized" and s["frame"] > 5, "it runs stabilised")
        w.key("3")
        after = w.wait(lambda s: s["integrator"] == "backward-euler", "key 3 switches")
        assert after["frame"] >= before["frame"], "a switch is no reset"
        assert after["markers"] == 1, after
        w.key("2")
        w.wait(lambda s: s["integrator"] == "stabilized" and s["markers"] >= 1, "key 2 switches back")


def pause_step_reset(program):
    with window(program, *CUBE) as w:
        w.key("space")
        w.wait(lambda s: s["paused"], "space pauses")
        still = w.settled()
        assert w.settled()["frame"] == still["frame"]
        for n in range(1, 4):
            w.key("Right")
            w.wait(lambda s: s["frame"] == still["frame"] + n, f"step {n}")
        w.key("BackSpace")
        w.wait(lambda s: s["frame"] == 0 and s["paused"], "backspace resets, and stays paused")
        w.key("space")
        w.wait(lambda s: not s["paused"] and s["frame"] > 3, "space goes on")
        w.key("minus", "minus")
        w.wait(lambda s: s["speed"] == 0.25, "slow motion")
        w.key("0")
        w.wait(lambda s: s["speed"] == 1, "back to real time")


def cube_on_a_floor(folder):
    """A cube that lies on a solid floor."""
    scene = folder / "cube-on-a-floor.json"
    scene.write_text(json.dumps({
        "rebound": 1, "name": "Cube on a floor", "damping": {"coefficient": 0.1},
        "bodies": [{"name": "cube", "mesh": {"box": {"size": [1, 1, 1], "divisions": [4, 4, 4]}},
                    "material": {"model": "arap", "young": 1e5, "density": 500}, "transform": {"translate": [0, 0.5, 0]}}],
        "obstacles": [{"plane": {}, "friction": 0.3}]}))
    return scene


def obstacle_by_mouse(program):
    with tempfile.TemporaryDirectory() as name, window(program, cube_on_a_floor(pathlib.Path(name))) as w:
        w.wait(lambda s: s["pressed"] > 0 and s["frame"] > 10, "it lies on the floor")
        before = w.settled()
        assert before["user"] == 0 and len(before["obstacles"]) == 1, before
        body = w.body()
        w.xdotool("mousemove", body[0] - 200, body[1] + 10)
        w.settled()
        w.key("o")
        added = w.wait(lambda s: len(s["obstacles"]) == 2, "O puts a ball where the mouse points")
        ball = [round(c) for c in added["obstacles"][1]]
        assert abs(ball[0] - body[0] + 200) < 3 and abs(ball[1] - body[1] - 10) < 3, (ball, body)
        w.wait(lambda s: s["marked"] == 1, "what the mouse would take is marked")
        # A click alone is no work.
        w.xdotool("click", 1)
        assert w.settled()["user"] == 0
        time.sleep(0.5)  # another press at once would be a double click
        w.xdotool("mousedown", 1)
        for i in range(1, 41):
            w.xdotool("mousemove", ball[0] + 5 * i, ball[1])
            time.sleep(0.02)
        pushed = w.wait(lambda s: s["user"] > 0 and s["obstacles"][1][0] > ball[0] + 100, "the ball does the hand's work")
        assert not pushed["held"] and pushed["marked"] == 1, pushed
        w.xdotool("mouseup", 1)
        later = w.wait(lambda s: s["frame"] > pushed["frame"] + 60, "it goes on")
        assert abs(later["total"] - later["target"]) < 0.03 * later["scale"], later
        assert not later["trouble"], later
        # What the hand has let go of does no more work.
        calm = w.wait(lambda s: s["frame"] > later["frame"] + 5, "it goes on")
        assert calm["user"] == later["user"], (later, calm)
        # The view has followed what was pushed.
        ball = [round(c) for c in w.settled()["obstacles"][1]]
        w.xdotool("mousemove", ball[0], ball[1])
        w.wait(lambda s: s["marked"] == 1, "what the mouse would take is marked")
        w.key("Delete")
        w.wait(lambda s: len(s["obstacles"]) == 1, "what is under the mouse is removed")


def floor_by_mouse(program):
    with tempfile.TemporaryDirectory() as name, window(program, cube_on_a_floor(pathlib.Path(name))) as w:
        w.wait(lambda s: s["pressed"] > 0 and s["frame"] > 10, "it lies on the floor")
        x, y, width, height = w.settled()["picture"]
        at = int(x + 40), int(y + height - 30)
        w.drag(at, (at[0] + 60, at[1]))
        turned = w.settled()
        assert turned["user"] == 0, "a drag on the floor turns the view"
        before = turned["obstacles"][0][1]
        w.drag(at, (at[0], at[1] - 60), modifier="ctrl")
        lifted = w.wait(lambda s: s["user"] > 0, "with ctrl it lifts the floor, and all that lies on it")
        assert lifted["obstacles"][0][1] < before, (before, lifted)


def obstacle_from_file(program):
    with window(program, *BAR, "--paused", path="/nowhere") as w:
        meshes = pathlib.Path(os.environ["REBOUND_ASSETS"]) / "meshes"
        for file, comes in (("bunny.obj", True), ("no-such.obj", False)):
            w.key("ctrl+b")
            w.settled()
            w.xdotool("type", meshes / file)
            w.settled()
            w.key("Return")
            if comes:
                w.wait(lambda s: len(s["obstacles"]) == 1, "a closed surface becomes an obstacle")
            else:
                state = w.wait(lambda s: s["dialog"], "what is no surface is complained of")
                assert file in state["dialog"] and len(state["obstacles"]) == 1, state
                w.key("Right")
                assert w.settled()["frame"] == state["frame"], "keys are the dialog's, not the scene's behind it"
                w.key("Return")
                w.wait(lambda s: not s["dialog"], "Enter is its button")
        assert w.state()["scene"] == "Elastic bar"


def contacts(program):
    with tempfile.TemporaryDirectory() as name, window(program, cube_on_a_floor(pathlib.Path(name))) as w:
        w.wait(lambda s: s["pressed"] > 0, "it lies on the floor")
        assert not w.settled()["contacts"]
        w.key("k")
        w.wait(lambda s: s["contacts"], "K shows the contacts")
        w.key("t", "space")
        shown = w.settled()
        assert shown["glErrors"] == 0 and shown["pressed"] > 0, shown
        w.key("k")
        w.wait(lambda s: not s["contacts"], "another K hides them")


def new_obstacles(program):
    """One that is added comes beside those that are there, and there is one floor."""
    with window(program, *CUBE) as w:
        w.key("space")
        for count, kind in enumerate(("Sphere", "Box", "Torus", "Sphere", "Capsule"), 1):
            w.xdotool("mousemove", *field_in_sight(w, kind), "click", 1)
            w.wait(lambda s: len(s["obstacles"]) == count, f"a {kind} comes")
        places = w.settled()["panes"][0]["obstacles"]
        apart = min(math.dist(a, b) for i, a in enumerate(places) for b in places[:i])
        assert apart > 0.5, (apart, places)  # a cube of 1 m: they are about 0.5 m wide
        w.xdotool("mousemove", *field_in_sight(w, "Floor"), "click", 1)
        w.wait(lambda s: len(s["obstacles"]) == 6 and s["chosenObstacle"] == 5, "a floor comes")
        w.xdotool("mousemove", *field_in_sight(w, "Sphere"), "click", 1)
        w.wait(lambda s: s["chosenObstacle"] == 6, "a ball")
        w.xdotool("mousemove", *field_in_sight(w, "Floor"), "click", 1)
        again = w.wait(lambda s: s["chosenObstacle"] == 5, "the floor that is there is chosen")
        assert len(again["obstacles"]) == 7 and any("floor already" in t for t in again["toasts"]), again["toasts"]


def contact_kinds(program):
    """Any kind may follow any other, in a scene that says nothing of them."""
    with tempfile.TemporaryDirectory() as name, window(program, cube_on_a_floor(pathlib.Path(name))) as w:
        for kind, field in (("Barrier", "contact.distance"), ("Cubic", None), ("Barrier", "contact.distance"),
                            ("Springs", None)):
            w.xdotool("mousemove", *field_in_sight(w, kind), "click", 1)
            w.settled()
            if field:
                w.wait(lambda s: field in s["fields"], f"{kind} shows its {field}")
            after = w.settled()
            assert after["frame"] > 0 and not after["dialog"] and after["glErrors"] == 0, (kind, after)


def bad_files(program):
    with tempfile.TemporaryDirectory() as name, display() as display_name:
        folder = pathlib.Path(name)
        (folder / "bad.json").write_text('{ "rebound": 1, "bodies": [ { "mesh": {} } ] }')
        (folder / "bad.obj").write_text("v 0 0 0\nf 1 2 3\n")
        for file in ("bad.json", "bad.obj", "missing.json"):
            trace = folder / "trace.jsonl"
            run = subprocess.run([program, str(folder / file), "--trace", trace], env=environment(folder, display_name),
                                 capture_output=True, text=True, timeout=15)
            assert run.returncode == 2, (file, run)
            assert run.stderr.count("\n") == 1 and file in run.stderr, (file, run.stderr)


def dropped_files(program):
    try:
        import xdnd
    except ImportError as missing:
        raise Skip("python3-xlib is not installed") from missing
    with window(program, *CUBE) as w:
        bad = w.folder / "bad.obj"
        bad.write_text("v 0 0 0\nf 1 2 3\n")
        xdnd.drop(w.display, w.id, bad)
        state = w.wait(lambda s: s["dialog"], "a bad file is complained of")
        assert "bad.obj" in state["dialog"] and "\n" not in state["dialog"], state
        assert state["scene"] == "Spinning cube", "the world before stays"
        w.key("Escape")
        w.wait(lambda s: not s["dialog"], "the complaint can be sent away")
        good = w.folder / "dropped.json"
        good.write_text(json.dumps({
            "rebound": 1, "name": "Dropped", "bodies": [{
                "name": "box", "mesh": {"box": {"size": [1, 1, 1], "divisions": [3, 3, 3]}},
                "material": {"model": "arap", "young": 1e5, "density": 1000}, "fixed": [0]}]}))
        xdnd.drop(w.display, w.id, good)
        w.wait(lambda s: s["scene"] == "Dropped" and s["frame"] > 2, "a good file is opened")
        w.key("ctrl+r")
        w.wait(lambda s: s["scene"] == "Dropped" and s["frame"] > 2, "it can be read again")


def a_sheet_is_asked_about(program):
    try:
        import xdnd
    except ImportError as missing:
        raise Skip("python3-xlib is not installed") from missing
    with window(program, *CUBE) as w:
        sheet = w.folder / "sheet.obj"
        sheet.write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0.1\nv 2 1 0.1\nf 1 2 3 4\nf 2 5 6 3\n")
        xdnd.drop(w.display, w.id, sheet)
        asked = w.wait(lambda s: s["question"], "it asks what an open surface is meant as")
        assert "sheet.obj" in asked["question"] and "border" in asked["question"], asked
        assert asked["scene"] == "Spinning cube", "nothing is opened before the answer"
        w.key("Escape")
        w.wait(lambda s: not s["question"], "Esc leaves it")
        closed = w.folder / "closed.obj"
        closed.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        xdnd.drop(w.display, w.id, closed)
        asked = w.wait(lambda s: s["question"] and "Open by itself" in s["fields"], "it asks whether it joins the scene")
        assert "closed.obj" in asked["question"] and "join" in asked["question"], asked
        press(w, "Open by itself")
        w.wait(lambda s: s["scene"] == "closed" and not s["question"], "a closed one is a solid")


def a_mesh_joins(program):
    """A mesh that is dropped on a scene becomes one of its bodies, beside what is there, of the same material."""
    try:
        import xdnd
    except ImportError as missing:
        raise Skip("python3-xlib is not installed") from missing
    with window(program, *CUBE) as w:
        w.wait(lambda s: s["frame"] > 20, "it runs")
        mesh = w.folder / "wedge.obj"
        mesh.write_text("v 0 0 0\nv 3 0 0\nv 0 3 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        for count in (2, 3):
            xdnd.drop(w.display, w.id, mesh)
            w.wait(lambda s: s["question"] and "Join the scene" in s["fields"], "it asks")
            press(w, "Join the scene")
            w.wait(lambda s: len(s["bodies"]) == count and not s["question"], f"there are {count} bodies")
        state = w.wait(lambda s: s["frame"] > 5, "they move")
        assert state["scene"] == "Spinning cube" and state["bodies"][1:] == ["wedge", "wedge 2"], state["bodies"]
        assert not state["dialog"] and not state["trouble"], state


def press(w, name):
    """A control that the trace names."""
    w.xdotool("mousemove", *map(int, w.settled()["fields"][name]), "click", 1)


def gallery(program):
    """F2 shows all scenes in groups with pictures; a click opens one, which says what to try until the first drag."""
    with window(program, *CUBE) as w:
        first = w.wait(lambda s: s["hints"], "the first scene says what it is")
        assert first["hint"], first
        w.key("F2")
        w.wait(lambda s: len(s["gallery"]) > 5, "cards are shown")
        shown = w.settled()
        w.xdotool("mousemove", *map(int, shown["gallery"]["gummy-bear"]), "click", 1)
        opened = w.wait(lambda s: s["scene"] == "Gummy bear" and s["hints"], "a click opens a scene", 40)
        assert not opened["gallery"] and opened["hint"] != first["hint"] and opened["hint"], opened
        w.wait(lambda s: s["frame"] > 5 and s["hints"], "the sentence stays")
        at = w.body()
        w.drag(at, (at[0] + 40, at[1]))
        w.wait(lambda s: not s["hints"], "until the first drag")
        w.key("F2")
        w.wait(lambda s: s["gallery"], "once more")
        before = w.settled()["integrator"]
        w.key("3" if before != "backward-euler" else "2")
        assert w.settled()["integrator"] == before, "keys are for what lies over all"
        w.key("Escape")
        w.wait(lambda s: not s["gallery"], "Esc closes it")
        x, y, width, _ = w.settled()["picture"]
        w.xdotool("mousemove", round(x + width * 0.52), 24, "click", 1)
        w.settled()
        w.key("3" if before != "backward-euler" else "2")
        assert w.settled()["integrator"] == before, "and for an open list"
        w.key("Escape")
        w.settled()
        w.key("3" if before != "backward-euler" else "2")
        w.wait(lambda s: s["integrator"] != before, "which Esc closes")


def films_the_last_seconds(program):
    """What was seen is filmed after the fact, and the simulation goes on from where it was; the folder can be opened."""
    require("ffmpeg", "ffprobe")
    with tempfile.TemporaryDirectory() as name:
        asked = pathlib.Path(name) / "asked"
        opener = pathlib.Path(name) / "xdg-open"
        opener.write_text(f'#!/bin/sh\necho "$1" > {asked}\n')
        opener.chmod(0o755)
        with window(program, *CUBE, path=f"{name}:{os.environ['PATH']}") as w:
            w.wait(lambda s: s["frame"] > 100, "3 s have gone by")
            w.key("space")
            before = w.settled()
            w.key("ctrl+v")
            w.wait(lambda s: s["recording"]["state"] in ("recording", "finishing"), "it films")
            w.key("3")
            w.wait(lambda s: any("being filmed" in t for t in s["toasts"]), "nothing is done to what is filmed")
            done = w.wait(lambda s: s["recording"]["state"] == "idle" and s["recording"]["pictures"] > 50, "it is done", 60)
            after = w.wait(lambda s: s["frame"] == before["frame"] and s["paused"], "back to where it was")
            assert after["run"] == before["run"] and after["total"] == before["total"]
            assert after["integrator"] == before["integrator"] and after["markers"] == before["markers"], after
            seconds = before["time"]
            assert abs(done["recording"]["pictures"] / 30 - seconds) < 0.2, (done["recording"], seconds)
            file = pathlib.Path(done["recording"]["file"])
            assert file.is_file() and abs(video_of(file)[1] - seconds) < 0.3, video_of(file)
            w.wait(lambda s: "open folder" in s["fields"] and any("Video" in t for t in s["toasts"]), "it says where")
            w.xdotool("mousemove", *map(int, w.settled()["fields"]["open folder"]))
            w.settled()
            time.sleep(9)
            assert any("Video" in t for t in w.state()["toasts"]), "what is pointed at stays longer than it takes to read"
            press(w, "open folder")
            w.wait(lambda s: asked.exists(), "the folder is shown")
            w.xdotool("mousemove", 500, 300)
            w.wait(lambda s: not s["toasts"], "and goes when it is left")
            assert asked.read_text().strip() == str(file.parent)


def toasts_keep_off(program):
    """One note at a time, and not over the body."""
    with window(program, *CUBE) as w:
        w.wait(lambda s: s["frame"] > 5, "it runs")
        for key in ("ctrl+z", "equal", "l", "minus"):
            w.key(key)
            w.settled()
        state = w.settled()
        assert len(state["toasts"]) <= 2, state["toasts"]
        left, top, right, bottom = state["bounds"]
        x, y, width, height = state["places"][0]
        body = (x + left * width, y + top * height, x + right * width, y + bottom * height)
        for a, b, c, d in state["toastPlaces"]:
            assert a + c <= body[0] or a >= body[2] or b + d <= body[1] or b >= body[3], (body, state["toastPlaces"])


def resizes(program):
    with window(program, *CUBE) as w:
        rng = random.Random(1)
        sizes = [(1, 1), (2, 700), (900, 1), (5, 5)] + [(rng.randint(1, 1200), rng.randint(1, 780)) for _ in range(60)]
        rng.shuffle(sizes)
        for i, size in enumerate(sizes):
            w.xdotool("windowsize", w.id, *size)
            time.sleep(0.03)
            if i % 16 == 0:
                w.xdotool("windowunmap", w.id)
                time.sleep(0.05)
                w.xdotool("windowmap", w.id)
        w.xdotool("windowsize", "--sync", w.id, 900, 640)
        w.xdotool("windowfocus", w.id)
        state = w.wait(lambda s: s["picture"][2] > 300, "it is large again")
        assert state["glErrors"] == 0, state
        w.wait(lambda s: s["frame"] > state["frame"] + 5, "it still runs")


def no_display(program):
    with tempfile.TemporaryDirectory() as name:
        env = environment(pathlib.Path(name))
        for broken in ({}, {"DISPLAY": ":no-such"}):
            began = time.monotonic()
            run = subprocess.run([program, "spinning-cube"], env={**env, **broken}, capture_output=True, text=True, timeout=10)
            taken = time.monotonic() - began
            assert run.returncode == 3, run
            assert run.stderr.count("\n") == 1, run.stderr
            assert "rebound run" in run.stderr and "rebound record" in run.stderr, run.stderr
            assert taken < 1 + 0.5 * os.getloadavg()[0], taken


def exports(program):
    with window(program, *CUBE) as w:
        w.wait(lambda s: s["frame"] > 10, "it runs")
        w.key("ctrl+e")
        w.wait(lambda s: ".csv" in s["message"], "the table is written, and it says where")
        table, = w.folder.glob("rebound-spinning-cube-*.csv")
        lines = table.read_text().splitlines()
        assert lines[0].startswith("frame,time,kinetic,elastic,gravity,attachment,contact,total,target,added,dissipated,blend")
        assert len(lines) > 10 and lines[1].startswith("0,0,"), lines[:2]
        assert all(line.count(",") == lines[0].count(",") for line in lines)
        w.key("ctrl+p")
        w.wait(lambda s: ".png" in s["message"], "the picture is written, and it says where")
        picture, = (w.folder / "Pictures").glob("rebound-spinning-cube-*.png")  # which was not there before
        assert picture.read_bytes().startswith(b"\x89PNG")
        w.key("ctrl+g")
        w.wait(lambda s: ".svg" in s["message"], "the plots are written, and it says where")
        plots, = w.folder.glob("rebound-spinning-cube-*.svg")
        texts = [e.text for e in xml.etree.ElementTree.parse(plots).iter("{http://www.w3.org/2000/svg}text")]
        assert "Spinning cube" in texts and "Energy [J]" in texts and "kinetic" in texts, texts


def video_of(file):
    """What ffprobe says of a video: (pictures, seconds, width, height)."""
    probe = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                            "stream=nb_read_frames,width,height:format=duration", "-of", "json", file],
                           capture_output=True, text=True, check=True)
    found = json.loads(probe.stdout)
    stream = found["streams"][0]
    return int(stream["nb_read_frames"]), float(found["format"].get("duration", "nan")), stream["width"], stream["height"]


def begin_recording(w, pictures):
    w.key("v")
    w.wait(lambda s: s["recording"]["state"] == "recording", "V begins a recording")
    return w.wait(lambda s: s["recording"]["pictures"] >= pictures, f"{pictures} pictures are taken", timeout=40)


def records(program):
    require("ffmpeg", "ffprobe")
    with window(program, *CUBE) as w:
        begin = w.settled()
        begin_recording(w, 30)
        # Whatever becomes of the window, the video keeps its size and its pace.
        for size in ((640, 400), (1, 1), (900, 650)):
            w.xdotool("windowsize", w.id, *size)
            time.sleep(0.2)
        w.xdotool("windowunmap", w.id)
        hidden = w.wait(lambda s: s["recording"]["pictures"] >= 45, "it goes on", timeout=40)
        time.sleep(0.5)
        w.xdotool("windowmap", w.id)
        w.wait(lambda s: s["recording"]["pictures"] >= hidden["recording"]["pictures"] + 15, "hidden as well", timeout=40)
        w.xdotool("windowfocus", w.id)
        # A pause is not in the video.
        w.key("space")
        paused = w.wait(lambda s: s["paused"], "it pauses")
        still = w.settled()
        time.sleep(0.5)
        assert w.settled()["recording"]["pictures"] == still["recording"]["pictures"], (paused, still)
        w.key("space")
        w.wait(lambda s: s["recording"]["pictures"] >= 90, "three seconds of pictures", timeout=40)
        w.key("v")
        done = w.wait(lambda s: ".mp4" in s["message"], "the video is written, and it says where", timeout=30)
        assert done["recording"]["state"] == "idle", done
        pictures, duration, width, height = video_of(done["recording"]["file"])
        assert (width, height) == (1280, 720), (width, height)
        assert pictures == done["recording"]["pictures"], (pictures, done)
        assert abs(duration - pictures / 30) < 0.05, (duration, pictures)
        # As many frames were simulated as are seen: 0.033 s each, 1/30 s a picture.
        simulated = (done["frame"] - begin["frame"]) * 0.033
        assert 0 <= simulated - duration < 2, (simulated, duration)
        assert [p.name for p in (w.folder / "Videos").glob("rebound-*")] == [pathlib.Path(done["recording"]["file"]).name]
        w.wait(lambda s: s["frame"] > done["frame"] + 10, "it runs on by itself")


def recording_is_in_simulated_time(program):
    """At half speed and twice the time step, the video is as long as what was simulated."""
    require("ffmpeg", "ffprobe")
    with window(program, *CUBE, "--time-step", "0.066", "--paused") as w:
        w.key("v")
        w.wait(lambda s: s["recording"]["pictures"] > 0, "the first moment is recorded")
        begin = w.settled()
        w.key("minus")
        w.key("space")
        w.wait(lambda s: s["frame"] >= begin["frame"] + 20, "it runs", timeout=40)
        w.key("space")
        w.wait(lambda s: s["paused"], "it pauses")
        end = w.settled()
        w.key("v")
        done = w.wait(lambda s: ".mp4" in s["message"], "the video is written", timeout=30)
        pictures, _, _, _ = video_of(done["recording"]["file"])
        expected = (end["frame"] - begin["frame"] + 1) * 0.066 * 30
        assert abs(pictures - expected) <= 1, (pictures, expected)


def encoder_dies(program):
    require("ffmpeg", "ffprobe")
    with window(program, *CUBE) as w:
        recording = begin_recording(w, 60)["recording"]
        os.kill(recording["encoder"], 9)
        began = time.monotonic()
        failed = w.wait(lambda s: s["recording"]["state"] == "failed", "it is noticed")
        assert time.monotonic() - began < 2
        for words in (failed["dialog"], failed["recording"]["failure"]):
            assert "signal 9" in words and "partial.mkv" in words and "\n" not in words, failed
        kept, = (w.folder / "Videos").glob("*.partial.mkv")
        pictures = video_of(kept)[0]
        assert pictures >= recording["pictures"] - 30, (pictures, recording)
        w.wait(lambda s: s["frame"] > failed["frame"] + 10, "the simulation goes on")
        w.key("Escape")
        begin_recording(w, 3)
        w.key("v")
        w.wait(lambda s: ".mp4" in s["message"], "the next video is well", timeout=30)


def recording_fills_the_disk(program):
    require("ffmpeg", "ffprobe", "mount", "umount")
    with window(program, *CUBE) as w:
        videos = w.folder / "Videos"
        videos.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "rebound_test", videos],
                          stderr=subprocess.DEVNULL).returncode:
            raise Skip("no file system may be mounted here")
        try:
            w.key("v")
            failed = w.wait(lambda s: s["recording"]["state"] == "failed", "the full disk is noticed", timeout=50)
            assert "No space left on device" in failed["dialog"] and "partial.mkv" in failed["dialog"], failed
            kept, = videos.iterdir()
            assert video_of(kept)[0] > 10, kept
            w.wait(lambda s: s["frame"] > failed["frame"] + 10, "the simulation goes on")
        finally:
            subprocess.run(["umount", "-l", videos], check=True)


def records_without_ffmpeg(program):
    with window(program, *CUBE, path="/nowhere") as w:
        w.key("v")
        state = w.wait(lambda s: s["dialog"], "what is missing is said")
        assert "ffmpeg" in state["dialog"] and state["recording"]["state"] == "idle", state
        w.wait(lambda s: s["frame"] > state["frame"] + 5, "the simulation goes on")


def recording_ends_with_the_window(program):
    require("ffmpeg", "ffprobe")
    with window(program, *CUBE) as w:
        begin_recording(w, 20)
        w.close()
        video, = (w.folder / "Videos").glob("rebound-*.mp4")
        assert video_of(video)[0] >= 20
        assert not list(w.folder.rglob("*.part*"))


def settings_persist(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        scene = folder / "mine.json"
        scene.write_text(json.dumps({
            "rebound": 1, "name": "Mine", "bodies": [{
                "name": "box", "mesh": {"box": {"size": [1, 1, 1], "divisions": [3, 3, 3]}},
                "material": {"model": "arap", "young": 1e5, "density": 1000}, "fixed": [0]}]}))
        with window(program, str(scene)) as w:
            before = w.settled()
            w.key("t")
            w.wait(lambda s: s["dark"] != before["dark"], "T changes the theme")
            w.close()
            file = w.folder / "config" / "rebound" / "settings.json"
            kept = json.loads(file.read_text())
            assert kept["dark"] is not before["dark"] and kept["recent"] == [str(scene)], kept
            assert [p.name for p in file.parent.iterdir()] == ["settings.json"]
            w.trace.unlink()
            again = Window(program, w.folder, w.display, [*CUBE, "--size", "1000x700"])
            try:
                assert again.settled()["dark"] is not before["dark"]
                again.close()
                assert json.loads(file.read_text())["recent"] == [str(scene)], "what is built in has its own list"
                file.write_text('{"dark": fal')
                again.trace.unlink()
                damaged = Window(program, w.folder, w.display, [*CUBE, "--size", "1000x700"])
                state = damaged.settled()
                assert state["dark"] is before["dark"], "a damaged file gives the defaults"
                assert "settings.json" in state["message"] and "\n" not in state["message"], state
                damaged.close()
                json.loads(file.read_text())
            finally:
                again.kill()


def pins(program):
    with window(program, *BAR, "--paused") as w:
        before = w.settled()["pinned"]
        at = w.body()
        w.xdotool("mousemove", *at, "click", 3)
        pinned = w.wait(lambda s: s["pinned"] > before, "a right click pins")
        w.xdotool("click", 3)
        w.wait(lambda s: s["pinned"] == before, "another unpins")
        x, y, width, height = pinned["picture"]
        corners = (int(x + 5), int(y + 5)), (int(x + width - 30), int(y + height - 30))
        w.key("b")
        w.drag(*corners)
        w.wait(lambda s: s["pinned"] > before + 10, "a box pins what it holds")
        w.key("b")
        w.drag(*corners, modifier="ctrl")
        w.wait(lambda s: s["pinned"] <= before, "with ctrl it unpins")


def overlap(a, b):
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


def explosion(program):
    with window(program, *CUBE) as w:
        w.key("5")
        w.wait(lambda s: s["integrator"] == "implicit-midpoint", "midpoint runs")
        w.wait(lambda s: "running away" in s["trouble"] or "ran away" in s["trouble"], "the explosion is named", 18)
        w.key("2", "BackSpace")
        w.wait(lambda s: s["integrator"] == "stabilized" and not s["trouble"] and s["frame"] > 3, "it is usable again")


def runaway(program):
    """It stops at a hundred times its energy, says one number, and "Back" goes to just before it began."""
    with window(program, *CUBE) as w:
        w.wait(lambda s: s["frame"] > 5, "it runs")
        w.key("5")
        stopped = w.wait(lambda s: s["panes"][0]["failure_site"], "it stops, and shows where it broke", 50)
        times = stopped["panes"][0]["times"]
        assert 100 < times < 400, stopped["panes"]
        w.wait(lambda s: len(s["cards"]) == 2 and not overlap(*s["cards"]), "what is to be tried does not cover what went wrong")
        said = float(stopped["trouble"].split("energy is ")[1].split(" times")[0])
        assert abs(said - times) < 0.01 * times, (said, times)
        x, y, width, height = stopped["picture"]
        left, top, right, bottom = stopped["bounds"]
        assert right - left < 4 and bottom - top < 4, "the camera is not inside the body"
        last = stopped["run"]["frame"]
        w.settled()
        press(w, "back")
        back = w.wait(lambda s: s["run"]["frame"] < last and s["paused"] and not s["trouble"], "a button goes back")
        assert 0 < back["frame"] and back["panes"][0]["times"] <= 1.1, back
        w.key("Right")
        after = w.wait(lambda s: s["frame"] == back["frame"] + 1, "a frame on")
        assert after["panes"][0]["times"] > 1.1, "that was just before it began"


def field_in_sight(w, name):
    """Where it is, once the panels are scrolled so far that it is in sight."""
    w.wait(lambda s: name in s["fields"], "the field is drawn")
    x, y, width, _ = w.settled()["picture"]
    w.xdotool("mousemove", round(x + width + 100), round(y + 300))
    for _ in range(40):
        if w.settled()["fields"][name][1] < 600:
            break
        w.xdotool("click", 5)
    return w.settled()["fields"][name]


def typed_numbers(program):
    """A number has the unit that the field shows, or its own; what is out of range is refused with the range."""
    with window(program, *CUBE, "--paused") as w:
        field = field_in_sight(w, "timeStep")

        def type_in(text):
            w.xdotool("keydown", "ctrl", "mousemove", *field, "click", 1, "keyup", "ctrl")
            w.wait(lambda s: s["typing"]["active"], "the field takes a number")
            w.key("ctrl+a")
            w.settled()  # letters of the same frame would come before it
            w.xdotool("type", text)
            w.settled()
            w.key("Return")

        for text, seconds in (("20", 0.02), ("5 ms", 0.005), ("1/60", 1 / 60), ("0.02 s", 0.02)):
            type_in(text)
            w.wait(lambda s: abs(s["timeStep"] - seconds) < 1e-9 and not s["typing"]["active"], f"{text} is {seconds} s")
        for text, why in (("2 s", "is not within"), ("20 kg", "is not in s"), ("fast", "is not a number")):
            type_in(text)
            refused = w.wait(lambda s: why in s["typing"]["refusal"], f"{text} is refused")
            assert abs(refused["timeStep"] - 0.02) < 1e-12, refused
            w.key("Escape")
            w.wait(lambda s: not s["typing"]["active"], "Esc leaves the field")
        w.xdotool("mousemove", *field, "click", 3)
        w.settled()
        w.settled()
        for down in range(8, 80, 6):
            w.xdotool("mousemove", field[0] + 30, field[1] + down)
            w.settled()
            w.xdotool("click", 1)
            w.settled()
            if abs(w.state()["timeStep"] - 0.033) < 1e-9:
                break
            if w.state()["typing"]["active"]:
                w.key("Escape")
                w.settled()
                w.xdotool("mousemove", *field, "click", 3)
                w.settled()
        assert abs(w.settled()["timeStep"] - 0.033) < 1e-9, "the menu of the field has its default"


def a_held_slider(program):
    """However long it is held, and however short the steps become, one turn of a slider is one step to undo."""
    with window(program, *CUBE) as w:
        at = field_in_sight(w, "timeStep")
        before = w.state()["timeStep"]
        w.xdotool("mousemove", *at, "mousedown", 1)
        for across in (-40, -30, -20, -35, -10, 20):
            w.xdotool("mousemove", at[0] + across, at[1])
            time.sleep(0.5)
        w.xdotool("mouseup", 1)
        held = w.settled()
        assert held["timeStep"] != before and held["run"]["canUndo"], held
        w.key("ctrl+z")
        w.wait(lambda s: s["timeStep"] == before and not s["run"]["canUndo"], "one undo takes it back")


def free_bodies(folder, name, **changes):
    """Two cubes side by side, nothing around them."""
    scene = folder / f"{name}.json"
    scene.write_text(json.dumps({
        "rebound": 1, "name": name, "gravity": [0, 0, 0],
        "bodies": [{"name": f"cube {i}", "mesh": {"box": {"size": [1, 1, 1], "divisions": [3, 3, 3]}},
                    "material": {"model": "arap", "young": 1e4, "density": 500},
                    "transform": {"translate": [3 * i, 0.5, 0]}, **change} for i, change in enumerate(changes["bodies"])]}))
    return scene


def follows(program):
    """The view keeps the motion in sight until it is moved by hand."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        apart = free_bodies(folder, "apart", bodies=[{"velocity": [-2, 0, 0]}, {"velocity": [2, 0.5, 0]}])
        with window(program, apart) as w:
            # Where the machine is slow the motion runs ahead of the pictures: what is in sight for a moment is enough, since a
            # view that stays loses the bodies for good.
            def in_sight(state):
                left, top, right, bottom = state["bounds"]
                return min(left, top) > -0.12 and max(right, bottom) < 1.12
            for until in (20, 60, 120):
                state = w.wait(lambda s: s["frame"] > until and in_sight(s), f"all is in sight after frame {until}", 40)
            assert state["follows"]
            # In narrow panes as well.
            w.key("c")
            w.wait(lambda s: len(s["panes"]) == 2, "another pane")
            w.key("c")
            w.wait(lambda s: len(s["panes"]) == 3, "a third pane")
            draws = w.settled()["draws"]
            w.wait(lambda s: s["draws"] > draws + 20 and in_sight(s), "all is in sight in three panes")
            x, y, width, height = w.state()["picture"]
            w.xdotool("mousemove", round(x + 30), round(y + 120), "click", 4)
            w.wait(lambda s: not s["follows"], "the wheel takes over")
            w.key("Home")
            w.wait(lambda s: s["follows"], "Home follows again")
        point = free_bodies(folder, "point", bodies=[{"start": {"type": "point"}, "velocity": [0, 0, 0]}])
        with window(program, point) as w:
            state = w.wait(lambda s: s["frame"] > 40, "it runs", 40)
            left, top, right, bottom = state["bounds"]
            assert min(left, top) > -0.1 and max(right, bottom) < 1.1, "the camera is inside the body"
            assert max(right - left, bottom - top) > 0.15, state["bounds"]


def hands(program):
    """What a press would take is marked, what is held says its force, and there are views from the sides."""
    with window(program, *BAR) as w:
        at = w.body()
        w.xdotool("mousemove", *at)
        w.wait(lambda s: s["hovered"], "the vertex is marked")
        w.xdotool("mousedown", 1)
        w.xdotool("mousemove", at[0] + 80, at[1])
        pulled = w.wait(lambda s: s["held"] and s["force"] > 0, "the spring pulls")
        w.xdotool("mouseup", 1)
        w.wait(lambda s: not s["held"] and s["force"] == 0, "and no more")
        assert pulled["force"] < 1e9
        for key, axis in (("ctrl+1", 2), ("ctrl+2", 0), ("ctrl+3", 1)):
            w.key(key)
            w.wait(lambda s: abs(s["ahead"][axis] + 1) < 0.02, f"{key} looks along axis {axis}")


def wide_grab(program):
    """The wheel makes what is held wider, and what a press would take is marked as wide."""
    with window(program, *BAR, "--paused") as w:
        at = w.body()
        w.xdotool("mousemove", *at)
        w.wait(lambda s: s["hovered"] == 1, "one vertex is marked")
        w.xdotool("mousedown", 1)
        w.wait(lambda s: s["heldPoints"] == 1, "one vertex is held")
        for _ in range(15):
            w.xdotool("click", 4)
        wide = w.wait(lambda s: s["heldPoints"] > 4 and s["reach"] > 0.14, "more is held")
        assert abs(wide["user"]) < 1e-9 * max(1, abs(wide["target"])), "without work"
        w.xdotool("mousemove", at[0] + 60, at[1])
        pulled = w.wait(lambda s: s["force"] > 100, "it pulls")
        for _ in range(20):
            w.xdotool("click", 5)
        narrow = w.wait(lambda s: s["heldPoints"] == 1 and s["reach"] == 0, "one vertex again")
        assert abs(narrow["force"] - pulled["force"]) < 0.01 * pulled["force"], (narrow["force"], pulled["force"])
        for _ in range(10):
            w.xdotool("click", 4)
        w.xdotool("mouseup", 1)
        w.xdotool("mousemove", *at)
        w.wait(lambda s: not s["held"] and s["hovered"] > 4, "all that would be held is marked")


def marks_a_region(program):
    """A box makes what it holds of another material, which is seen; it is listed, removed and undone."""
    with window(program, *BAR, "--paused", size="1000x900") as w:
        at = w.body()
        middle = (at[0] - 60, at[1] - 150), (at[0] + 60, at[1] + 150)
        everything = (at[0] - 300, at[1] - 200), (at[0] + 250, at[1] + 200)
        plain = picture_of_body(w, w.settled())
        w.key("m")
        w.settled()
        w.drag(*middle)
        first = w.wait(lambda s: len(s["regions"]) == 1, "a region")["regions"][0]
        assert first > 0, first
        assert picture_of_body(w, w.settled()) != plain, "it is of another colour"

        x, y, width, _ = w.settled()["picture"]
        w.xdotool("mousemove", round(x + width + 100), round(y + 300))
        for _ in range(60):
            if w.settled()["fields"].get("Mark a region", [0, 900])[1] < 700:
                break
            w.xdotool("click", 5)
        press(w, "Mark a region")
        w.settled()
        w.drag(*everything)
        w.wait(lambda s: len(s["regions"]) == 2 and s["regions"][0] == 0 and s["regions"][1] > first, "the last one counts")
        w.settled()
        press(w, "Remove region 2")
        w.wait(lambda s: s["regions"] == [first], "the first one again")
        w.key("ctrl+z")
        w.wait(lambda s: len(s["regions"]) == 2, "both")
        w.key("ctrl+z", "ctrl+z")
        w.wait(lambda s: s["regions"] == [], "none")
        assert picture_of_body(w, w.settled()) == plain, "all of one colour"
        w.key("m", "Escape")
        w.settled()
        w.drag(*middle)
        assert w.settled()["regions"] == [], "Esc leaves"


def place_at_rest(w, obstacle):
    """Where an obstacle stands once all that the mouse did has arrived in the simulation."""
    before = w.settled()["panes"][0]
    while True:
        after = w.wait(lambda s: s["panes"][0]["frame"] >= before["frame"] + 3, "frames go by")["panes"][0]
        if after["obstacles"][obstacle] == before["obstacles"][obstacle]:
            return after["obstacles"][obstacle]
        before = after


def obstacle_handles(program):
    """An obstacle that was taken has arrows and rings: it goes along an axis, or turns about one."""
    with tempfile.TemporaryDirectory() as name, window(program, cube_on_a_floor(pathlib.Path(name))) as w:
        # A view that follows would move what the mouse aims at.
        w.key("l")
        w.wait(lambda s: not s["follows"], "the view stays")
        body = w.body()
        w.xdotool("mousemove", body[0] - 180, body[1] - 60)
        w.settled()
        w.key("o")
        w.wait(lambda s: len(s["obstacles"]) == 2, "a ball")
        ball = [round(c) for c in w.settled()["obstacles"][1]]
        w.xdotool("mousemove", *ball)
        w.wait(lambda s: s["marked"] == 1, "it is under the mouse")
        w.xdotool("click", 1)
        w.wait(lambda s: s["chosenObstacle"] == 1 and len(s["handles"]) == 6, "it has arrows and rings")
        place = place_at_rest(w, 1)
        for axis in range(3):
            tip = [round(c) for c in w.settled()["handles"][axis]]
            # Away from the middle, so that what is behind is not met.
            away = [tip[c] + round(0.5 * (tip[c] - ball[c])) for c in (0, 1)]
            w.drag(tip, away)
            w.wait(lambda s: s["panes"][0]["obstacles"][1][axis] > place[axis] + 0.05, f"it goes along axis {axis}")
            there = place_at_rest(w, 1)
            others = [c for c in range(3) if c != axis]
            assert all(abs(there[c] - place[c]) < 1e-6 for c in others), (axis, place, there)
            place = there
            ball = [round(c) for c in w.settled()["obstacles"][1]]
        turn = w.settled()["chosenTurn"]
        assert turn["angle"] == 0, turn
        ring = [round(c) for c in w.settled()["handles"][4]]
        w.drag(ring, (ring[0] + 25, ring[1]))
        turned = w.wait(lambda s: abs(s["chosenTurn"]["angle"]) > 5, "it turns")["chosenTurn"]
        assert turned["axis"] == [0, 1, 0], turned
        assert place_at_rest(w, 1) == place, "and stays where it is"
        w.key("ctrl+d")
        w.wait(lambda s: len(s["obstacles"]) == 3 and s["chosenObstacle"] == 2, "Ctrl D makes another one")
        w.key("ctrl+z")
        w.wait(lambda s: len(s["obstacles"]) == 2, "undo takes it back")
        w.key("Escape")
        w.wait(lambda s: not s["handles"], "Esc puts the arrows away")


def colors(program):
    """A bar that hangs has other colours by stress, strain and energy, and its own again; the scale has units."""
    require("ffmpeg")
    with window(program, "cantilever") as w:
        w.wait(lambda s: s["frame"] > 40, "it has bent")
        w.key("space")
        # Other differences: a view that follows, and what is said of the scene, which makes room for the legend.
        w.key("l")
        w.wait(lambda s: not s["follows"], "the view stays")
        x, y, _, _ = w.settled()["picture"]
        w.drag((round(x + 30), round(y + 120)), (round(x + 50), round(y + 125)))
        w.wait(lambda s: not s["hints"], "a drag puts the hint away")
        seen = []
        for kind in (0, 1, 2, 3, 0):
            w.wait(lambda s: s["colors"]["kind"] == kind, f"colours {kind}")
            shown = w.settled()
            assert shown["glErrors"] == 0, shown
            seen.append((shown["colors"]["top"], picture_of_body(w, shown)))
            w.key("s")
        plain, stress, strain, energy, again = seen
        assert plain[1] == again[1], "the bodies' own colours come back"
        assert len({plain[1], stress[1], energy[1]}) == 3, "each has colours of its own"
        assert stress[0] > 100 * strain[0] > 0 and energy[0] > 0, (stress[0], strain[0], energy[0])


def picture_of_body(w, state):
    """The pixels in the middle of the first pane, as bytes."""
    x, y, width, height = (int(v) for v in state["places"][0])
    run = subprocess.run(["ffmpeg", "-loglevel", "error", "-f", "x11grab", "-draw_mouse", "0",
                          "-video_size", f"{width // 2}x{height // 2}", "-i", f"{w.display}+{x + width // 4},{y + height // 4}",
                          "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], env=w.env, capture_output=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def save_dialog(program):
    """Without the desktop's dialog: it opens on a folder that is there, and replaces nothing unasked."""
    with window(program, *CUBE, "--paused", path="/nowhere") as w:
        (w.folder / "my-run.jsonl").write_text("mine")
        w.key("ctrl+shift+s")
        w.settled()
        shown = w.wait(lambda s: s["browser"]["open"], "it asks")
        assert not shown["browser"]["problem"] and shown["browser"]["folder"] == str(w.folder), shown["browser"]
        assert "my-run.jsonl" in shown["browser"]["entries"], shown["browser"]
        assert shown["browser"]["button"] == "Replace", shown["browser"]
        w.key("Return")
        w.settled()
        assert (w.folder / "my-run.jsonl").read_text() == "mine"
        w.key("ctrl+a")
        w.settled()
        w.xdotool("type", "other.jsonl")
        w.wait(lambda s: s["browser"]["button"] == "Save", "a new name is saved under")
        w.key("Return")
        w.wait(lambda s: "other.jsonl" in s["message"], "the run is saved, and it says where")
        assert (w.folder / "other.jsonl").exists()
        # The ending that it will get counts.
        before = (w.folder / "other.jsonl").read_bytes()
        w.key("ctrl+shift+s")
        w.wait(lambda s: s["browser"]["open"], "it asks again")
        w.key("ctrl+a")
        w.settled()
        w.xdotool("type", "other")
        w.wait(lambda s: s["browser"]["button"] == "Replace", "without its ending it is the same file")
        w.key("Return")
        w.settled()
        assert (w.folder / "other.jsonl").read_bytes() == before
        w.key("Escape")


def overlays(program):
    with window(program, *CUBE) as w:
        w.key("F1")
        w.wait(lambda s: s["help"], "F1 shows the keys")
        w.key("Escape")
        w.wait(lambda s: not s["help"], "Esc closes them")
        w.key("Tab")
        w.wait(lambda s: not s["panels"] and s["picture"][2] >= 999, "Tab hides the panels, and the picture has their place")
        w.key("Tab", "t")
        w.wait(lambda s: s["panels"] and not s["dark"], "T changes the theme")
        w.key("Escape", "Escape", "w", "f", "Home", "ctrl+plus", "ctrl+minus", "ctrl+0", "F11", "F11")
        w.settled()


def anything(program):
    """Keys, clicks and turns at random: it stays alive, without one GL error."""
    with window(program, *CUBE) as w:
        rng = random.Random(3)
        keys = ["space", "Right", "BackSpace", "minus", "equal", "1", "2", "3", "4", "5", "9", "b", "u", "f", "Home", "w",
                "t", "Tab", "F1", "Escape", "ctrl+o", "ctrl+s", "ctrl+plus", "ctrl+minus", "ctrl+0", "ctrl+r"]
        until = time.monotonic() + 8
        while time.monotonic() < until:
            what = rng.randrange(4)
            at = rng.randrange(1000), rng.randrange(700)
            if what == 0:
                w.key(rng.choice(keys))
            elif what == 1:
                w.xdotool("mousemove", *at, "click", rng.choice([1, 2, 3, 4, 5]))
            else:
                w.drag(at, (rng.randrange(1100), rng.randrange(790)), button=rng.choice([1, 1, 2, 3]), steps=4)
            assert w.process.poll() is None, w.process.stdout.read()
        w.key("Escape", "Escape")
        assert w.settled()["glErrors"] == 0


def browser(program):
    """Without the desktop's dialog, the window has one of its own; a name can be typed into it."""
    with window(program, *CUBE, path="/nowhere") as w:
        scene = pathlib.Path(os.environ["REBOUND_ASSETS"]) / "scenes" / "elastic-bar.json"
        w.key("ctrl+o")
        w.settled()
        w.xdotool("type", scene)
        w.settled()
        w.key("Return")
        w.wait(lambda s: s["scene"] == "Elastic bar" and s["frame"] > 2, "the typed file is opened")
        w.key("ctrl+s")
        w.settled()
        w.xdotool("type", w.folder / "saved.json")
        w.settled()
        w.key("Return")
        w.wait(lambda s: "saved.json" in s["message"], "the scene is saved, and it says where")
        assert (w.folder / "saved.json").exists(), w.state()["message"]
        saved = json.loads((w.folder / "saved.json").read_text())
        assert saved["name"] == "Elastic bar", saved


def idle(program):
    """Paused and left alone, the window lets the processor sleep."""
    with tempfile.TemporaryDirectory() as name, display() as display_name:
        env = environment(pathlib.Path(name), display_name)
        process = subprocess.Popen([program, "spinning-cube", "--paused"], env=env, stderr=subprocess.DEVNULL)
        try:
            time.sleep(5)

            def used():
                fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
                return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

            before = used()
            assert process.poll() is None
            time.sleep(3)
            assert used() - before < 0.3, f"{used() - before} s of processor in 3 s"
        finally:
            process.kill()
            process.wait()


CASES = [opens, drag_does_work, a_click_does_no_work, integrator_by_key, pause_step_reset, obstacle_by_mouse, floor_by_mouse,
         obstacle_from_file, contacts, new_obstacles, contact_kinds, bad_files, dropped_files, a_sheet_is_asked_about, a_mesh_joins, gallery,
         films_the_last_seconds, toasts_keep_off,
         resizes, no_display, exports, records, recording_is_in_simulated_time, encoder_dies, recording_fills_the_disk,
         records_without_ffmpeg, recording_ends_with_the_window, settings_persist, pins, explosion, runaway, typed_numbers, a_held_slider, follows, hands, wide_grab, marks_a_region,
         obstacle_handles, colors, save_dialog, overlays, browser, anything, idle]


if __name__ == "__main__":
    sys.exit(main(CASES))
