"""Starts the program on a display of its own, plays mouse and keyboard, and reads what the trace says."""
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
# Seconds; where everything is slow, as under a sanitizer, it takes more.
TIMEOUT = float(os.environ.get("REBOUND_WINDOW_TIMEOUT", 15))


class Skip(Exception):
    pass


def require(*programs):
    for program in programs:
        if shutil.which(program) is None:
            raise Skip(f"{program} is not installed")


@contextlib.contextmanager
def display(size="1280x800"):
    """An X server without anyone looking at it; yields its name."""
    require("Xvfb", "xdotool")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-noreset", "-nolisten", "tcp"],
        pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        number = b""
        while not number.endswith(b"\n"):
            more = os.read(read, 16)
            if not more:
                raise Skip("Xvfb does not start")
            number += more
        yield ":" + number.decode().strip()
    finally:
        os.close(read)
        server.terminate()
        server.wait()


def environment(folder, display_name=None):
    env = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    env.update(HOME=str(folder), XDG_CONFIG_HOME=str(folder / "config"),
               XDG_CACHE_HOME=str(folder / "cache"), LIBGL_ALWAYS_SOFTWARE="1")
    if display_name:
        env["DISPLAY"] = display_name
    return env


class Window:
    """The running program."""

    def __init__(self, program, folder, display_name, arguments, path=None):
        self.folder = folder
        self.display = display_name
        self.trace = folder / "trace.jsonl"
        self.env = environment(folder, display_name)
        self.process = subprocess.Popen(
            [program, *arguments, "--trace", str(self.trace)], cwd=folder, env={**self.env, "PATH": path or self.env["PATH"]},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.wait(lambda s: "frame" in s, "the scene is open")
        self.id = self.xdotool("search", "--onlyvisible", "--class", "rebound").split()[-1]
        self.xdotool("windowfocus", self.id)

    def xdotool(self, *words):
        # xdotool itself fails once in a while; a program that has ended is a fault of ours and is told.
        for attempt in range(3):
            run = subprocess.run(["xdotool", *map(str, words)], env=self.env, capture_output=True, text=True)
            if run.returncode == 0:
                return run.stdout
            time.sleep(0.1)
            ended = self.process.poll()
            if ended is not None:
                raise AssertionError(f"the program ended with {ended}: {self.process.stdout.read()}")
        raise AssertionError(f"xdotool {words} failed: {run.stderr.strip()}")

    def state(self):
        try:
            lines = self.trace.read_text().splitlines(keepends=True)
        except FileNotFoundError:
            return {}
        whole = [line for line in lines if line.endswith("\n")]
        return json.loads(whole[-1]) if whole else {}

    def wait(self, condition, what, timeout=TIMEOUT):
        until = time.monotonic() + timeout
        state = {}
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise AssertionError(f"the program ended with {self.process.returncode}: {self.process.stdout.read()}")
            state = self.state()
            if state and condition(state):
                return state
            time.sleep(0.05)
        raise AssertionError(f"never came true: {what}; last seen: {state}")

    def settled(self):
        """A state that was written after everything so far had its effect."""
        draws = self.state().get("draws", 0)
        return self.wait(lambda s: s["draws"] > draws + 3, "the window draws")

    def key(self, *names):
        for name in names:
            self.xdotool("key", name)

    def body(self):
        """Where a body is on the screen."""
        state = self.wait(lambda s: "body" in s, "a body is in sight")
        return tuple(int(v) for v in state["body"])

    def drag(self, start, end, button=1, steps=12, modifier=None):
        if modifier:
            self.xdotool("keydown", modifier)
        self.xdotool("mousemove", *start, "mousedown", button)
        for i in range(1, steps + 1):
            at = [round(a + (b - a) * i / steps) for a, b in zip(start, end)]
            self.xdotool("mousemove", *at)
            time.sleep(0.02)
        self.xdotool("mouseup", button)
        if modifier:
            self.xdotool("keyup", modifier)

    def close(self):
        """Ends it as a person would, and says what it printed."""
        self.key("ctrl+q")
        try:
            output = self.process.communicate(timeout=TIMEOUT)[0]
        except subprocess.TimeoutExpired as stuck:
            raise AssertionError("Ctrl Q does not end it") from stuck
        assert self.process.returncode == 0, (self.process.returncode, output)
        return output

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


@contextlib.contextmanager
def window(program, *arguments, size="1000x700", path=None):
    """The program with a window on a display of its own; whatever happens, neither is left behind."""
    with tempfile.TemporaryDirectory() as name, display() as display_name:
        opened = None
        try:
            opened = Window.__new__(Window)
            opened.process = None
            opened.__init__(program, pathlib.Path(name), display_name, [*arguments, "--size", size], path)
            yield opened
            if opened.process.poll() is None:
                state = opened.state()
                assert state["glErrors"] == 0, state
                opened.close()
        finally:
            if opened.process:
                opened.kill()


def main(cases):
    """Runs the case that the command line names: PROGRAM CASE."""
    program, name = sys.argv[1:]
    if name == "list":
        print("\n".join(case.__name__ for case in cases))
        return 0
    case, = (c for c in cases if c.__name__ == name)
    try:
        case(program)
    except Skip as reason:
        print(f"skipped: {reason}")
        return SKIPPED
    return 0
