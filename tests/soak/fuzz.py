"""Fuzzes every reader with the sanitizers on, each for some seconds, beginning with seeds that reach behind its first
checks.   fuzz.py BUILD_FOLDER [--seconds N] [--runs N] [--corpus FOLDER] [--only READER]

Ends at the first of --seconds and --runs. A fault is a crash, a leak, undefined behaviour, more than 10 s for one file, or
more than 2 GiB of memory; what caused it lies in the corpus folder."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

READERS = ["read_surface", "read_tets", "read_scene", "read_run", "read_cache"]

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("build")
arguments.add_argument("--seconds", type=int, default=30)
arguments.add_argument("--runs", type=int, default=500_000)
arguments.add_argument("--corpus", help="kept from time to time; otherwise a temporary one")
arguments.add_argument("--only", choices=READERS)
options = arguments.parse_args()


def fuzz(reader, corpus):
    found = os.path.join(corpus, "found")
    own = os.path.join(corpus, reader)
    os.makedirs(found, exist_ok=True)
    env = dict(os.environ, UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1", ASAN_OPTIONS="detect_leaks=1")
    began = time.monotonic()
    run = subprocess.run([os.path.join(options.build, reader), own, f"-max_total_time={options.seconds}",
                          f"-runs={options.runs}", "-timeout=10", "-rss_limit_mb=2048", "-max_len=20000", "-print_final_stats=1",
                          f"-artifact_prefix={found}/{reader}-"], capture_output=True, text=True, errors="replace", env=env)
    said = run.stderr
    done = re.search(r"stat::number_of_executed_units:\s*(\d+)", said)
    coverage = re.findall(r"cov: (\d+)", said)
    print(f"{reader:13} {done.group(1) if done else '?':>8} of {options.runs} runs, {time.monotonic() - began:6.0f} s, "
          f"{coverage[-1] if coverage else '?'} edges reached", flush=True)
    if run.returncode != 0:
        print(f"FAULT: {reader} ended with {run.returncode}; what caused it lies in {found}")
        print("\n".join(line for line in said.splitlines() if re.match(r"==\d+==|SUMMARY|\s+#[0-9] ", line))[:4000])
    return run.returncode == 0


def main():
    corpus = options.corpus or tempfile.mkdtemp(prefix="rebound-fuzz-")
    subprocess.run([os.path.join(options.build, "write_seeds"), corpus], check=True)
    good = [fuzz(reader, corpus) for reader in READERS if options.only in (None, reader)]
    if all(good) and not options.corpus:
        shutil.rmtree(corpus)
    print(f"{len(good)} readers, {good.count(False)} faults")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
