"""Every source key in a comment or a page stands in docs/references.md: references_test.py SOURCE_FOLDER"""
import os
import re
import sys

SOURCE = os.path.abspath(sys.argv[1])
FOLDERS = ("src", "shaders", "tests", "tools", "docs")
CODE = (".hpp", ".cpp", ".inl", ".c", ".h", ".glsl", ".vert", ".frag", ".geom")
COMMENT = re.compile(r"//(.*)|^\s*#(.*)|^\s*/?\*+(.*)")
# [Dinev18], [Dinev18 Eq. 30], [Dinev18 Sec. 4.2, Liu13]: brackets that begin with a name and two digits of a year, over
# the end of a line too.
CITATION = re.compile(r"\[([A-Z][A-Za-z]+\d{2}[a-z]?\b[^\]]*)\]")
KEY = re.compile(r"\b[A-Z][A-Za-z]+\d{2}[a-z]?\b")
# A source named in words instead, such as Mueller and others.
IN_WORDS = re.compile(r"\bet al\b")


def prose(path):
    """What of a file is read by people, line for line: the comments of code, the whole of a page."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    if path.endswith(".md"):
        return "\n".join(lines)
    comments = (COMMENT.search(line) for line in lines)
    return "\n".join(next(text for text in found.groups() if text is not None) if found else "" for found in comments)


def files():
    for folder in FOLDERS:
        for root, _, names in os.walk(os.path.join(SOURCE, folder)):
            yield from (os.path.join(root, name) for name in sorted(names) if name.endswith(CODE + (".py", ".md")))


def main():
    page = os.path.join(SOURCE, "docs/references.md")
    known = re.findall(r"^- \*\*\[(\w+)\]\*\*", prose(page), re.M)
    failures = [f"docs/references.md: [{key}] stands there twice" for key in set(known) if known.count(key) > 1]
    cited = set()
    for path in files():
        text = prose(path)
        if path in (page, os.path.abspath(__file__)):
            continue
        for found in CITATION.finditer(text):
            place = f"{os.path.relpath(path, SOURCE)}:{text.count(chr(10), 0, found.start()) + 1}"
            keys = set(KEY.findall(found.group(1)))
            cited |= keys
            failures += [f"{place}: [{key}] is not in docs/references.md" for key in sorted(keys - set(known))]
        for found in IN_WORDS.finditer(text):
            place = f"{os.path.relpath(path, SOURCE)}:{text.count(chr(10), 0, found.start()) + 1}"
            failures.append(f"{place}: a source in words; cite it by its key in docs/references.md")
    if not cited:
        failures.append("no citation found: this test no longer looks where they are")
    if failures:
        sys.exit("\n".join(failures))


main()
