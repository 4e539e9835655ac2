#!/usr/bin/env python3
"""The tests of a ctest log that took more than a second, the slowest first, and what they are of the whole.
slow_tests.py LOG [SHOWN]"""
import re
import sys

SECOND = 1.0
LINE = re.compile(r"Test\s+#\d+: (\S+) \.*\s*\**\s*(?:Passed|Failed|Skipped|Timeout|Not Run)?.*?([\d.]+) sec")

with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
    times = sorted(((float(seconds), name) for name, seconds in LINE.findall(log.read())), reverse=True)
shown = int(sys.argv[2]) if len(sys.argv) > 2 else 25
slow = [(seconds, name) for seconds, name in times if seconds > SECOND]
total = sum(seconds for seconds, _ in times)
if slow:
    print(f"{len(slow)} of {len(times)} tests took more than a second, {sum(s for s, _ in slow):.0f} s of {total:.0f} s:")
    for seconds, name in slow[:shown]:
        print(f"  {seconds:7.1f} s  {name}")
    if len(slow) > shown:
        print(f"  and {len(slow) - shown} more")
