"""Kills the program while it saves, at random moments: what has its name is always whole, the old one or the new one.
kills.py PROGRAM [--kills N] [--seed N]"""
import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("program")
arguments.add_argument("--kills", type=int, default=100)
arguments.add_argument("--seed", type=int, default=1)
options = arguments.parse_args()
PROGRAM = os.path.abspath(options.program)
random.seed(options.seed)


# Of 5,041 vertices, from where on factors are kept on the disk.
CLOTH = {"rebound": 1, "frames": 3, "bodies": [{"mesh": {"cloth": {"size": [1, 1], "divisions": [70, 70]}}, "material":
         {"model": "springs", "stiffness": 100, "density": 0.3}, "fixed": [0, 70]}]}


class Case:
    """A command, its output, and whether that is whole."""

    def __init__(self, name, folder, arguments_of):
        self.name, self.folder = name, os.path.join(folder, name)
        os.makedirs(self.folder)
        self.arguments_of = arguments_of
        self.kept = self.killed = self.after = 0

    def run(self, kill_after=None):
        env = dict(os.environ, XDG_CACHE_HOME=os.path.join(self.folder, "cache"))
        process = subprocess.Popen([PROGRAM, *self.arguments_of(self.folder)], env=env, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        began = time.monotonic()
        try:
            process.wait(kill_after if kill_after is not None else 120)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        return time.monotonic() - began, process.returncode

    def outputs(self):
        """Every file that has its final name, with its bytes: step times differ from run to run, and are left out."""
        found = {}
        for root, _, names in os.walk(self.folder):
            for name in names:
                if ".partial" in name or ".factor." in name or ".saved" in name:
                    continue
                with open(os.path.join(root, name), "rb") as file:
                    found[os.path.join(root, name)] = self.without_times(name, file.read())
        return found

    @staticmethod
    def without_times(name, data):
        if name.endswith(".csv") and data.startswith(b"frame,time,kinetic"):
            column = data.split(b"\n", 1)[0].split(b",").index(b"step_ms")
            return b"\n".join(b",".join(c for i, c in enumerate(row.split(b",")) if i != column)
                              for row in data.split(b"\n"))
        if name.endswith("summary.json"):
            return {k: v for k, v in json.loads(data).items() if "ms" not in k and "seconds" not in k}
        return data


def cases(folder):
    scene = os.path.join(folder, "cloth.json")
    with open(scene, "w", encoding="utf-8") as file:
        json.dump(CLOTH, file)
    yield Case("tables", folder, lambda f: ["run", "spinning-cube", "--frames", "60", "--ledger", f + "/l.csv", "--states",
                                            f + "/s.csv", "--summary", f + "/summary.json"])
    yield Case("run", folder, lambda f: ["run", "spinning-cube", "--frames", "120", "--save-run", f + "/a.jsonl"])
    yield Case("motion", folder, lambda f: ["run", "spinning-cube", "--frames", "60", "--motion", f + "/m.glb", "--plot",
                                            f + "/p.svg"])
    yield Case("cache", folder, lambda f: ["run", scene, "--states", f + "/s.csv"])


def main():
    folder = tempfile.mkdtemp(prefix="rebound-kills-")
    faults = 0
    try:
        listed = list(cases(folder))
        for case in listed:
            case.seconds, status = case.run()
            if status != 0:
                print(f"FAULT: {case.name} exits {status} even when it is let alone")
                return 1
            case.whole = case.outputs()
        each = max(1, options.kills // len(listed))
        for case in listed:
            runs = 0
            # One that ends before its kill is none; they take less time once there is a cache.
            while case.killed < each and runs < 10 * each:
                runs += 1
                # Every other time there is an old one to lose; and of the cache, nothing but what kills have left.
                if runs % 2:
                    for path in case.outputs():
                        os.remove(path)
                took, status = case.run(random.uniform(0, 1.1) * case.seconds)
                if status == -signal.SIGKILL:
                    case.killed += 1
                else:
                    case.seconds = 0.5 * (case.seconds + took)
                for path, data in case.outputs().items():
                    if case.whole.get(path) != data:
                        faults += 1
                        print(f"FAULT: {os.path.relpath(path, folder)} is neither the old nor the new one")
            # What is left does no harm, and is cleared away by the next one that is let alone.
            _, status = case.run()
            if status != 0 or case.outputs() != case.whole:
                faults += 1
                print(f"FAULT: {case.name} is not what it was after {each} kills (exit {status})")
            print(f"{case.name:8} {runs} runs, {case.killed} of them killed", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{sum(c.killed for c in listed)} kills, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
