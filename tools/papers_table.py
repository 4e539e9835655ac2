#!/usr/bin/env python3
"""Writes the README's table of what papers claim from the page that `rebound reproduce` has made.

    tools/papers_table.py docs/papers.html             prints it
    tools/papers_table.py docs/papers.html README.md   puts it between the two marks there
    tools/papers_table.py docs/papers.html README.md --check   changes nothing; fails where the README says otherwise
"""
import html.parser
import re
import sys

BEGIN, END = "<!-- the table of tools/papers_table.py: begin -->", "<!-- end of the papers -->"
# Row, number, and the claim in a few words.
SHOWN = [
    ("dinev18-fig-5", "energy error, stabilized", "the blend holds the energy of a spinning cube"),
    ("dinev18-fig-5", "midpoint explodes in frame", "midpoint explodes: in frame"),
    ("dinev18-fig-3", "energy at the start, Eq. 7", "energy of the spring at the start"),
    ("dinev18-sec-4-2", "energy above the target, 100 N/m, one iteration",
     "one iteration of backward Euler is enough: cloth of 100 N/m, share above the target"),
    ("dinev18-sec-5-motion", "motion that is seen over the reference's, stabilized",
     "the motion stays vivid: share of the reference's that is seen, of a stiff cantilever"),
    ("1.1", "d/omega of backward Euler at z = 1", "artificial damping of backward Euler at z = 1"),
    ("2.2", "least steps a frame at which plain Newton arrives in every step", "steps a frame that plain Newton needs on a stretched cube"),
    ("2.8", "most elements inside out at once, after the solve", "contacts mended after the solve turn elements inside out: how many"),
    ("3.13", "final speed, A-search, c = 100 m/s, 1/300 s", "speed after a collision, A-search, 100 m/s, 1/300 s"),
    ("3.17", "size of the eigenvalues of A-1, h omega = 100", "A-1 keeps the size of a vibration at any step: a step of 100 / omega"),
]


class Page(html.parser.HTMLParser):
    """The tables of numbers: (row's id, what) -> cells' texts; and where the paper says it."""

    def __init__(self, text):
        super().__init__()
        self.numbers, self.places = {}, {}
        self.row = self.cells = self.open = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "section":
            self.row = attrs["id"]
        elif tag == "table":
            self.open = attrs.get("class") == "numbers"
        elif tag == "h2" and self.row:
            self.cells = [""]
        elif tag == "tr" and self.open:
            self.cells = []
        elif tag == "td" and self.open:
            self.cells.append("")
        elif tag == "br" and self.cells:
            self.cells[-1] += ": "
        elif tag == "span" and "where" in attrs.get("class", "") and self.cells:
            self.cells[-1] = f"{self.cells[-1].rstrip()}, "

    def handle_data(self, data):
        if self.cells:
            self.cells[-1] += data

    def handle_endtag(self, tag):
        if tag == "h2" and self.cells:
            self.places.setdefault(self.row, self.cells[0].split(":")[0])
            self.cells = None
        elif tag == "tr" and self.open:
            if self.cells:
                self.numbers[self.row, self.cells[0]] = self.cells[1:]
            self.cells = None


def table(page):
    lines = ["| claim | paper | Rebound | |", "| --- | --- | --- | --- |"]
    for row, what, claim in SHOWN:
        if (row, what) not in page.numbers:
            known = [w for r, w in page.numbers if r == row]
            sys.exit(f"the page has no number '{what}' of row {row}; it has {known}")
        paper, ours, _, verdict = page.numbers[row, what]
        lines.append(f"| {page.places[row]}: {claim} | {paper} | {ours} | {verdict} |")
    return "\n".join(lines)


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    if len(arguments) not in (1, 2):
        sys.exit(__doc__)
    with open(arguments[0], encoding="utf-8") as file:
        text = table(Page(file.read()))
    if len(arguments) == 1:
        print(text)
        return
    with open(arguments[1], encoding="utf-8") as file:
        before = file.read()
    after, found = re.subn(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: f"{BEGIN}\n\n{text}\n\n{END}", before,
                           flags=re.S)
    if not found:
        sys.exit(f"{arguments[1]}: has no line '{BEGIN}'")
    if "--check" in sys.argv and after != before:
        sys.exit(f"{arguments[1]}: its table is not that of {arguments[0]}; write it with tools/papers_table.py")
    if after != before:
        with open(arguments[1], "w", encoding="utf-8") as file:
            file.write(after)


main()
