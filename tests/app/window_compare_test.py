"""Comparing, going back and doing again in the window. One case a run: window_compare_test.py PROGRAM CASE."""
import itertools
import json
import shutil
import subprocess
import sys
import tempfile
import time

from window_driver import Skip, environment, main, window

CUBE = ["spinning-cube"]
BAR = ["elastic-bar"]


def compare(w, count):
    """As many panes, by the key."""
    while len(w.state()["panes"]) < count:
        had = len(w.state()["panes"])
        w.key("c")
        w.wait(lambda s: len(s["panes"]) == had + 1 == len(s["places"]), "another pane")
    return w.settled()


def work(state):
    return [pane["user"] for pane in state["panes"]]


def one_hand(program):
    with window(program, *BAR, "--paused") as w:
        compare(w, 3)
        assert len({pane["integrator"] for pane in w.state()["panes"]}) == 3, "each has a method of its own"
        state = w.wait(lambda s: "body" in s, "a body is in sight")
        for picked in (1, 0, 2):
            before = work(w.state())
            at = [round(state["body"][i] + state["places"][picked][i] - state["places"][0][i]) for i in (0, 1)]
            w.xdotool("mousemove", *at, "mousedown", 1)
            w.wait(lambda s: all(pane["held"] for pane in s["panes"]), "all copies are held")
            for i in range(1, 6):
                w.xdotool("mousemove", at[0] + 12 * i, at[1] - 2 * i)
            moved = w.wait(lambda s: all(a != b for a, b in zip(work(s), before)), "the hand works on all of them")
            # They stand still and alike, so the same hand does the same work.
            moved = w.settled()
            assert max(work(moved)) - min(work(moved)) <= 1e-9 * max(work(moved)), work(moved)
            w.xdotool("mouseup", 1)
            w.wait(lambda s: not any(pane["held"] for pane in s["panes"]), "all are let go")
        w.key("space")
        w.wait(lambda s: s["run"]["frame"] > 10 and len({p["frame"] for p in s["panes"]}) == 1, "they go on in step")


def panes_come_and_go(program):
    with window(program, *CUBE, size="1200x760") as w:
        compare(w, 6)
        w.key("c")
        w.wait(lambda s: "six panes" in s["message"], "six are enough")
        ids = [pane["id"] for pane in w.state()["panes"]]
        x, y, width, _ = w.state()["places"][2]
        w.xdotool("mousemove", round(x + min(width - 12, 440) - 11), round(y + 22), "click", 1)
        left = w.wait(lambda s: len(s["panes"]) == 5, "its cross removes a pane")
        assert [pane["id"] for pane in left["panes"]] == ids[:2] + ids[3:], left
        w.key("n")
        before = w.wait(lambda s: s["chosen"] == 1, "N chooses the next")["panes"]
        w.key("1")
        after = w.wait(lambda s: s["panes"][1]["integrator"] == "rebound", "a key is for the chosen pane")["panes"]
        assert [p["integrator"] for p in after[2:]] == [p["integrator"] for p in before[2:]], (before, after)
        assert after[0]["integrator"] == before[0]["integrator"]
        x, y, _, _ = w.state()["places"][3]
        w.xdotool("mousemove", round(x + 12), round(y + 22), "click", 1)
        w.wait(lambda s: s["chosen"] == 3, "a click on its head chooses a pane")
        w.key("BackSpace")
        w.wait(lambda s: all(p["frame"] < 10 for p in s["panes"]), "a reset is for all")


def three_at_once(program):
    """Who is quicker than the panes come gets different ones all the same."""
    with window(program, *CUBE) as w:
        w.wait(lambda s: s["frame"] > 3, "it runs")
        # GLFW drops a key that is pressed twice in a millisecond, and takes one that comes back within 20 ms for one
        # that is held, unless another lies between.
        w.xdotool("key", "--delay", 6, "c", "Insert", "c", "Insert", "c")
        shown = w.wait(lambda s: len(s["panes"]) == 4, "three panes come")
        integrators = [pane["integrator"] for pane in shown["panes"]]
        assert len(set(integrators)) == 4, integrators


def going_back(program):
    with window(program, *CUBE) as w:
        compare(w, 2)
        w.wait(lambda s: s["run"]["frame"] > 80, "it runs")
        w.key("space")
        w.wait(lambda s: s["paused"], "space pauses")
        end = w.settled()["run"]["last"]
        w.xdotool("key", "--repeat", 50, "--delay", 15, "Left")
        state = w.wait(lambda s: s["run"]["frame"] == end - 50, "fifty frames back")
        assert state["paused"] and state["run"]["last"] == end and state["run"]["ghosts"] == 0, state
        assert all(p["plotted"] > 50 for p in state["panes"]), "what came after is still plotted"
        w.key("Right")
        w.wait(lambda s: s["run"]["frame"] == end - 49 and s["run"]["last"] == end, "a step in the past is a look")
        w.key("Left", "3")
        left = w.wait(lambda s: s["run"]["ghosts"] == 2 and s["run"]["branch"] == 1, "another method is another branch")
        assert left["run"]["last"] == end - 50, left
        plotted = left["panes"][0]["plotted"]
        w.key("space")
        later = w.wait(lambda s: s["run"]["frame"] > end, "it goes on")
        assert later["run"]["ghosts"] == 2 and later["integrator"] == "backward-euler", later
        assert later["panes"][0]["plotted"] > plotted + 40, "curves are cut, not cleared"
        x, y, width, height = later["timeline"]
        w.xdotool("mousemove", round(x + 0.25 * width), round(y + height / 2), "mousedown", 1)
        w.xdotool("mousemove", round(x + 0.2 * width), round(y + height / 2))
        back = w.wait(lambda s: s["paused"] and 0 < s["run"]["frame"] < end - 20, "the scrubber goes back")
        w.xdotool("mouseup", 1)
        assert back["run"]["last"] > end, back
        w.key("ctrl+Left")
        w.wait(lambda s: s["run"]["frame"] == s["run"]["first"] == 0, "the first frame")
        w.key("ctrl+Right")
        w.wait(lambda s: s["run"]["frame"] == s["run"]["last"] > end, "the last frame")
        # The chart of the total energy is the first one below the scrubber.
        w.xdotool("mousemove", round(x + 0.13 * width), round(y + height + 130), "click", 1)
        w.wait(lambda s: 0 < s["run"]["frame"] < s["run"]["last"], "a click in a plot goes to that time")


def back_into_a_drag(program):
    """Nothing is pressed when one goes on from there, so nothing is held."""
    with window(program, *CUBE) as w:
        w.wait(lambda s: s["frame"] > 5, "it runs")
        w.xdotool("mousemove", *w.body(), "mousedown", 1)
        w.xdotool("mousemove", 300, 300)
        grabbed = w.wait(lambda s: s["held"], "it is held")["run"]["frame"]
        w.wait(lambda s: s["run"]["frame"] > grabbed + 30, "for a second")
        w.xdotool("mouseup", 1)
        released = w.wait(lambda s: not s["held"], "it is let go")["run"]["frame"]
        w.wait(lambda s: s["run"]["frame"] > released + 5, "it runs")
        w.key("space")
        end = w.settled()["run"]["last"]
        w.xdotool("key", "--repeat", end - grabbed - 15, "--delay", 15, "Left")
        w.wait(lambda s: s["run"]["frame"] == grabbed + 15 and s["held"], "back in the drag")
        w.key("space")
        w.wait(lambda s: s["run"]["branch"] == 1 and not s["held"], "nothing is held")
        w.wait(lambda s: s["run"]["frame"] > grabbed + 40 and not s["held"], "and it stays so")


def back_across_a_reset(program):
    """The curves of every start are kept, and each moment says which method made it."""
    with window(program, *CUBE) as w:
        w.wait(lambda s: s["frame"] > 40, "it runs")
        first = w.state()["integrator"]
        w.key("3")
        w.wait(lambda s: s["integrator"] == "backward-euler" and s["frame"] > 80, "with another method, too")
        w.key("BackSpace")
        w.wait(lambda s: s["run"]["frame"] > s["frame"] > 30, "it begins anew")
        w.key("space")
        w.wait(lambda s: s["paused"], "space pauses")
        end = w.settled()
        w.key("ctrl+Left")
        back = w.wait(lambda s: s["run"]["frame"] == 0, "before the reset")
        assert back["integrator"] == first and back["panes"][0]["plotted"] > 80 and back["markers"] == 1, back
        w.key("ctrl+Right")
        again = w.wait(lambda s: s["run"]["frame"] == end["run"]["last"], "and here again")
        assert again["integrator"] == "backward-euler" and again["markers"] == end["markers"], (again, end)
        assert again["panes"][0]["plotted"] == end["panes"][0]["plotted"] > 30, (again, end)


def undo(program):
    with window(program, *BAR, "--paused") as w:
        before = w.settled()["pinned"]
        w.key("ctrl+z")
        w.wait(lambda s: "nothing to undo" in s["message"], "nothing was done")
        w.xdotool("mousemove", *w.body(), "click", 3)
        pinned = w.wait(lambda s: s["pinned"] > before, "a right click pins")["pinned"]
        w.key("ctrl+z")
        w.wait(lambda s: s["pinned"] == before and s["run"]["canRedo"], "an undo unpins")
        w.key("ctrl+shift+z")
        w.wait(lambda s: s["pinned"] == pinned, "a redo pins")
        w.key("4")
        w.wait(lambda s: s["integrator"] == "bdf2", "a switch is an edit")
        w.key("ctrl+z", "ctrl+z")
        w.wait(lambda s: s["pinned"] == before and s["integrator"] == "stabilized", "both are taken back")


def saved_run(program):
    """A run saved from the window is the same to the last bit from the command line, and in the window again."""
    with window(program, *CUBE, path="/nowhere") as w:
        compare(w, 2)
        w.wait(lambda s: s["frame"] > 20, "it runs")
        w.drag(w.body(), (300, 300))
        w.key("3")
        w.wait(lambda s: s["integrator"] == "backward-euler", "another method")
        done = w.wait(lambda s: s["frame"] > 60, "it runs")
        w.key("space", "ctrl+shift+s")
        w.settled()
        w.xdotool("type", w.folder / "mine")
        w.settled()
        w.key("Return")
        w.wait(lambda s: "mine.jsonl" in s["message"], "it is saved, and it says where")
        file = w.folder / "mine.jsonl"
        replay = subprocess.run([program, "run", "--replay", file], env=environment(w.folder), capture_output=True, text=True)
        assert replay.returncode == 0, replay
        assert "as recorded" in replay.stdout, replay.stdout
        w.key("ctrl+o")
        w.settled()
        w.xdotool("type", file)
        w.settled()
        w.key("Return")
        w.wait(lambda s: s["run"]["frame"] < done["frame"] and s["message"].startswith("A recorded run"), "it is opened")
        if w.state()["paused"]:
            w.key("space")
        end = w.wait(lambda s: "every frame as it was recorded" in s["message"], "it is done again, the same")
        assert end["paused"] and len(end["panes"]) == 2 and end["integrator"] == "backward-euler", end
        lines = file.read_bytes().splitlines(keepends=True)
    # The same file as a full disk or a broken transfer leaves it.
    with tempfile.NamedTemporaryFile(suffix=".jsonl") as cut:
        cut.write(b"".join(lines[:40]) + lines[40][:5])
        cut.flush()
        with window(program, cut.name) as w:
            w.wait(lambda s: "cut off after frame" in s["message"], "it says that the end is missing")
            if w.state()["paused"]:
                w.key("space")
            w.wait(lambda s: "as far as its file goes" in s["message"], "it does what is there")


def wild_energy(program):
    # So stiff that midpoint has a hundred times the energy within a second or two.
    with window(program, *CUBE, "--set", "/bodies/0/material/young=1e9") as w:
        w.wait(lambda s: s["frame"] > 5, "it runs")
        w.key("5")
        stopped = w.wait(lambda s: s["panes"][0]["failure_site"], "it stops, and shows where it broke", 25)
        assert "tetrahedron" in stopped["trouble"] or "vertex" in stopped["trouble"], stopped["trouble"]
        last = stopped["run"]["frame"]
        x, y, width, _ = stopped["picture"]
        # Once it is pressed nothing else must be: another press might let the run go on.
        for down, left in itertools.product(range(30, 110, 8), range(-330, 0, 40)):
            w.xdotool("mousemove", round(x + width / 2 + left), round(y + down), "click", 1)
            drawn = w.state()["draws"]
            w.wait(lambda s: s["draws"] > drawn + 3, "it draws")
            if w.state()["trouble"] != stopped["trouble"] or w.state()["run"]["frame"] != last:
                break
        back = w.wait(lambda s: s["run"]["frame"] < last and s["paused"] and not s["trouble"], "a button goes back")
        w.key("2", "space")
        w.wait(lambda s: s["frame"] > back["frame"] + 20 and s["integrator"] == "stabilized" and s["run"]["ghosts"] == 1,
               "and it can be saved from there")


def obstacles_of_all(program):
    with window(program, *BAR, "--paused") as w:
        compare(w, 2)
        state = w.wait(lambda s: "body" in s, "a body is in sight")
        first, second = state["places"][:2]
        at = [round(second[0] + 0.8 * second[2]), round(second[1] + 0.8 * second[3])]
        w.xdotool("mousemove", *at)
        w.settled()
        w.key("o")

        def of_all(s):
            return [pane["obstacles"] for pane in s["panes"]]

        added = w.wait(lambda s: all(len(there) == 1 for there in of_all(s)), "a ball for both panes")
        before = of_all(added)
        assert before[0] == before[1], before
        time.sleep(0.5)  # another press at once would be a double click
        w.drag(at, (at[0] - 40, at[1] - 20))
        w.key("space")
        moved = w.wait(lambda s: all(a != b for a, b in zip(of_all(s), before)), "dragged in one, it goes in both")
        w.key("space")
        still = w.wait(lambda s: s["paused"], "it pauses")
        still = w.settled()
        assert of_all(still)[0] == of_all(still)[1], (of_all(moved), of_all(still))
        assert not any(pane["held"] for pane in still["panes"]), "it was the ball that was dragged"
        w.key("ctrl+z")
        w.key("ctrl+z")
        w.wait(lambda s: of_all(s) == [[], []], "undone: first the drag, then the ball")
        w.key("ctrl+shift+z")
        w.wait(lambda s: of_all(s) == before, "done again")


def over_one_another(program):
    with window(program, *BAR, "--paused") as w:
        compare(w, 3)
        w.key("g")
        state = w.wait(lambda s: s["overlaid"] and len(s["places"]) == 1, "panes lie over one another")
        at = w.body()
        w.xdotool("mousemove", *at, "mousedown", 1, "mousemove", at[0] + 40, at[1])
        w.wait(lambda s: all(pane["held"] and pane["user"] != 0 for pane in s["panes"]), "the hand holds all of them")
        w.xdotool("mouseup", 1)
        w.key("g", "t")
        w.wait(lambda s: len(s["places"]) == 3 and not s["dark"], "and side by side again")
        assert state["glErrors"] == 0


def what_is_seen(program):
    # A cantilever swings on for long where the method keeps what is seen of it, and backward Euler stills it.
    with window(program, "cantilever", "--integrator", "rebound") as w:
        compare(w, 2)
        w.key("n")
        w.wait(lambda s: s["chosen"] == 1, "N chooses the other")
        w.key("3")
        w.wait(lambda s: s["panes"][1]["integrator"] == "backward-euler", "a key is for the chosen pane")
        state = w.wait(lambda s: s["panes"][0]["frame"] > 280, "it runs", 40)
        ours, euler = state["panes"]
        assert ours["integrator"] == "rebound" and euler["integrator"] == "backward-euler", state["panes"]
        assert ours["shiver"] < 0.1 and ours["unseen"] < 0.05, ours
        assert 0 <= euler["seen"] < 0.5 * ours["seen"], state["panes"]
        assert ours["insideOut"] == 0, ours


def switching_target(program):
    """A switch takes what is there as its target, the ledger says who left it, and one click takes the old one."""
    with window(program, *CUBE, size="1280x800") as w:
        w.key("3")
        w.wait(lambda s: s["integrator"] == "backward-euler" and s["total"] < 0.5 * s["target"], "it loses", 30)
        w.key("2")
        state = w.wait(lambda s: s["integrator"] == "stabilized" and s["panes"][0]["leftBy"], "the ledger says so")
        pane = state["panes"][0]
        assert pane["leftBy"] == "backward-euler" and pane["left"] < 0, pane
        later = w.wait(lambda s: s["frame"] > state["frame"] + 20, "it goes on")
        assert abs(later["total"] - later["target"]) < 0.1 * later["scale"], "nothing is put back"
        at = later["fields"]["old target"]
        w.xdotool("mousemove", *at)
        w.settled()
        w.xdotool("click", 1)
        back = w.wait(lambda s: not s["panes"][0]["leftBy"], "one click takes the old target")
        assert back["target"] > 1.5 * state["target"], (back["target"], state["target"])


def panes_stay(program):
    """Another scene is opened in as many panes, with the same integrators; a recording is asked about."""
    try:
        import xdnd
    except ImportError as missing:
        raise Skip("python3-xlib is not installed") from missing
    with window(program, *CUBE) as w:
        compare(w, 3)
        before = [pane["integrator"] for pane in w.settled()["panes"]]
        scene = w.folder / "other.json"
        scene.write_text(json.dumps({"rebound": 1, "name": "Other", "bodies": [{
            "name": "box", "mesh": {"box": {"divisions": [2, 2, 2]}}, "material": {"young": 1e5, "density": 1000}}]}))
        xdnd.drop(w.display, w.id, scene)
        after = w.wait(lambda s: s["scene"] == "Other" and len(s["panes"]) == 3, "the other scene has three panes")
        assert [pane["integrator"] for pane in after["panes"]] == before, after["panes"]
        if shutil.which("ffmpeg") is None:
            return
        w.key("v")
        w.wait(lambda s: s["recording"]["state"] == "recording", "it records")
        w.key("ctrl+r")
        asked = w.wait(lambda s: s["question"], "it asks")
        assert "video" in asked["question"] and asked["recording"]["state"] == "recording", asked
        w.key("Escape")
        still = w.wait(lambda s: not s["question"], "Esc leaves it")
        assert still["recording"]["state"] == "recording"
        w.key("v")
        w.wait(lambda s: s["recording"]["state"] == "idle", "it ends", 30)


CASES = [what_is_seen, panes_stay, switching_target, one_hand, panes_come_and_go, three_at_once, going_back, back_across_a_reset, back_into_a_drag, undo, saved_run, wild_energy, obstacles_of_all, over_one_another]

if __name__ == "__main__":
    sys.exit(main(CASES))
