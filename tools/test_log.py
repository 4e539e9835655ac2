#!/usr/bin/env python3
"""What a ctest log has to tell: the tests that took more than a second, and last what those that failed said.
test_log.py LOG [SHOWN]"""
import re
import sys

SECOND = 1.0
SHOWN_LINES = 15
RESULT = re.compile(r"\s*\d+/\d+ Test\s+#\d+: (\S+) \.*\s*(\*\*\*)?(.*?)\s*([\d.]+) sec")
START = re.compile(r"\s*Start\s+\d+: |\s*\d+% tests passed")


def read(lines):
    """Seconds of each test, and the lines that each of those that failed printed."""
    times, said = [], {}
    name = None
    for line in lines:
        if result := RESULT.match(line):
            times.append((float(result[4]), result[1]))
            failed = result[2] and "Skipped" not in result[3]
            name = result[1] if failed else None
            if failed:
                said[name] = []
        elif START.match(line):
            name = None
        elif name and line.strip():
            said[name].append(line.rstrip())
    return times, said


def main():
    with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
        times, said = read(log)
    times.sort(reverse=True)
    shown = int(sys.argv[2]) if len(sys.argv) > 2 else 12
    slow = [(seconds, name) for seconds, name in times if seconds > SECOND]
    if slow:
        total, whole = sum(s for s, _ in slow), sum(s for s, _ in times)
        print(f"{len(slow)} of {len(times)} tests took more than a second, {total:.0f} s of {whole:.0f} s:")
        for seconds, name in slow[:shown]:
            print(f"  {seconds:7.1f} s  {name}")
        if len(slow) > shown:
            print(f"  and {len(slow) - shown} more")
    for name, lines in said.items():
        print(f"{name} failed:")
        for line in lines[-SHOWN_LINES:]:
            print(f"  {line}")


if __name__ == "__main__":
    main()
