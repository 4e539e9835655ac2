"""The same bytes whatever the threads: five scenes by their checksums, every frame.
determinism.py PROGRAM [--frames N] [--runs N]"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

# Pins, contacts with friction, cloth, Newton's method, a barrier.
SCENES = [("swinging-bunny", []), ("sliding-bunny-of-fig-12", []), ("hanging-cloth", []), ("spinning-cube", ["--solver", "newton"]),
          ("card-house", [])]
THREADS = (1, 2, 4, 8)


def sums(program, scene, arguments, threads, frames, folder):
    run = os.path.join(folder, "frames.run")
    command = [program, "run", scene, *arguments, "--frames", str(frames), "--threads", str(threads), "--save-run", run]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    with open(run, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    found = [row["sums"] for row in rows if "sums" in row]
    assert len(found) == frames + 1, (scene, len(found))  # the start as well
    return found


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("program")
    arguments.add_argument("--frames", type=int, default=1000)
    arguments.add_argument("--runs", type=int, default=3)
    options = arguments.parse_args()
    differs = 0
    with tempfile.TemporaryDirectory() as folder:
        for scene, more in SCENES:
            reference = None
            for threads in THREADS:
                for _ in range(options.runs):
                    found = sums(options.program, scene, more, threads, options.frames, folder)
                    reference = reference or found
                    if found != reference:
                        frame = next(i for i, (a, b) in enumerate(zip(found, reference)) if a != b)
                        print(f"{scene} on {threads} threads: frame {frame} differs")
                        differs += 1
            print(f"{scene}: {len(THREADS) * options.runs} runs of {options.frames} frames, the last sum {reference[-1]}", flush=True)
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
