"""The C++ sources are as clang-format makes them of .clang-format.

    format_test.py ROOT

Releases of clang-format differ: another one than Debian 12's, or none, and this is skipped (exit status 77).
"""
import shutil
import subprocess
import sys
from pathlib import Path

RELEASE = 14


def main():
    root = Path(sys.argv[1])
    program = shutil.which(f"clang-format-{RELEASE}") or shutil.which("clang-format")
    version = program and subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    if not version or f"version {RELEASE}." not in version:
        print(f"clang-format {RELEASE} is not there")
        return 77
    sources = [str(path) for folder in ("bench", "examples", "src", "tests") for suffix in ("cpp", "hpp")
               for path in sorted((root / folder).rglob(f"*.{suffix}"))]
    assert len(sources) > 500, f"only {len(sources)} sources below {root}"
    return subprocess.run([program, "--dry-run", "-Werror", *sources], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
