"""The long form of the tests: everything in tests/soak, two parts at a time, each with its time and its verdict.
soak.py [--share S] [--only PART,...] [--jobs N] [--list]      (after ./test has built; ./test --soak builds and runs it)

--share 1 is the whole, about an hour on two slow cores; 0.05 a look whether every part runs. What a part prints comes when it
ends."""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/soak"
SKIPPED = 77


def parts(share):
    """Name, what it shows, command, environment."""
    def times(number, least=1):
        return str(max(least, round(number * share)))
    release, program = ROOT / "build/release", ROOT / "build/release/rebound"
    python = [sys.executable, "-B"]
    yield ("fuzz", "five readers under the sanitizers", [*python, HERE / "fuzz.py", ROOT / "build/fuzz", "--seconds", times(240, 5)], {})
    yield ("meshes", "generated meshes: 100 frames, or refused by name",
           [release / "tests/soak_generated_meshes", "--each", times(200), "--frames", "100"], {})
    yield ("kills", "kills while saving", [*python, HERE / "kills.py", program, "--kills", times(1000, 20)], {})
    yield ("papers", "all quick rows of the papers, and the verdicts that were found",
           [*python, ROOT / "tests/papers/reproduce_test.py", program, ROOT, "--all-quick"], {})
    yield ("rows", "the other rows of the papers, the shortest first; with --share 20 all",
           [*python, HERE / "rows.py", program, ROOT / "build/soak-rows", "--seconds", times(1400, 10), "--meshes",
            ROOT / "../shared/meshes"], {})
    yield ("frames", "a long run with obstacles and friction, and its books",
           [release / "tests/soak_long_run", "--frames", times(2_600_000, 20_000)], {})
    yield ("barrier", "drops, towers, cards, a nail and rings: nothing goes through anything",
           [release / "tests/soak_barrier_worlds", "--drops", times(4000, 40), "--towers", times(16), "--seconds", times(10)], {})
    yield ("drags", "hard drags of bodies that may not turn inside out",
           [release / "tests/soak_hard_drags", "--drags", times(10_000, 200)], {})
    yield ("stiff", "every built-in scene under rebound, at 0.1, 1 and 10 times its stiffness",
           [release / "tests/soak_every_scene", "--frames", times(300), "--seconds", times(10)], {})
    yield ("same", "five scenes on 1, 2, 4 and 8 threads, to the last byte",
           [*python, HERE / "determinism.py", program, "--frames", times(1000, 20)], {})
    yield ("scenes", "every built-in scene, as it is and by stabilized",
           [*python, ROOT / "tests/cli/commands_test.py", program, "Others.test_every_built_in_scene_runs"],
           {"REBOUND_SCENE_FRAMES": times(30, 10)})
    yield ("threads", "the thread sanitizer over a window that is used",
           [*python, HERE / "window_switches.py", ROOT / "build/tsan/rebound", "--minutes", f"{max(0.3, 10 * share):.1f}"],
           {"TSAN_OPTIONS": f"halt_on_error=0:exitcode=66:ignore_noninstrumented_modules=1:suppressions={HERE}/tsan.supp"})
    sanitized = ["ctest", "--test-dir", ROOT / "build/asan-ubsan", "--output-on-failure", "--no-tests=error", "-L"]
    sanitizers = {"UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1", "ASAN_OPTIONS": "detect_leaks=1"}
    left = ":".join((HERE / "left_to_the_long_form.txt").read_text(encoding="utf-8").split())
    yield ("sanitized", "what ./test leaves out under the address sanitizer", [*sanitized, "unit"],
           {**sanitizers, "GTEST_FILTER": left})
    yield ("modes", "eigenvalues and closed forms of materials under the address sanitizer", [*sanitized, "long"], sanitizers)
    yield ("window", "random switches of the window, and its memory",
           [*python, HERE / "window_switches.py", program, "--switches", times(1000, 30)], {})


def run(part):
    """Name, exit status and seconds of a part that has run."""
    name, what, command, environment = part
    began = time.monotonic()
    try:
        done = subprocess.run(list(map(str, command)), env={**os.environ, **environment}, check=False, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        status, said = done.returncode, done.stdout
    except FileNotFoundError:
        status, said = 127, f"{command[0]} is not built\n"
    print(f"\n== {name}: {what}\n{said}", end="", flush=True)
    return name, status, time.monotonic() - began


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--share", type=float, default=1)
    arguments.add_argument("--only")
    arguments.add_argument("--jobs", type=int, default=2, help="parts at a time (default: 2)")
    arguments.add_argument("--list", action="store_true")
    options = arguments.parse_args()
    wanted = list(parts(options.share))
    names = [name for name, *_ in wanted]
    if options.list:
        for name, what, command, _ in wanted:
            print(f"{name:8} {what}\n         {' '.join(map(str, command))}")
        return 0
    if options.only:
        unknown = set(options.only.split(",")) - set(names)
        if unknown:
            arguments.error(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(names)}")
        wanted = [part for part in wanted if part[0] in options.only.split(",")]
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as lanes:
        results = list(lanes.map(run, wanted))
    print(f"\nSummary ({(time.monotonic() - began) / 60:.1f} min in all)")
    for name, status, seconds in results:
        verdict = "passed" if status == 0 else "skipped" if status == SKIPPED else f"FAILED ({status})"
        print(f"  {name:8} {verdict:12} {seconds / 60:6.1f} min")
    return 1 if any(status not in (0, SKIPPED) for _, status, _ in results) else 0


if __name__ == "__main__":
    sys.exit(main())
