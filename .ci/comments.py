#!/usr/bin/env python3
"""comments.py: checks that the comments of the sources are plain English.

Counts phrasings that readers of this repository had to read twice. Each phrasing has a limit in percent of all
comments, because some uses are right. Prints each hit of a pattern that exceeds its limit, and exits with 1.
"""
import pathlib
import re
import sys

# (description, limit in percent, pattern)
PHRASINGS = [
    ("begins with a question word", 1.0, r"^(What|Who|Whoever|Whose|Where|How)\b(?!.*\?)"),
    ("begins with a preposition", 2.0, r"^(Of|As|By|With|To|For|On|In) "),
    ("begins with a pronoun", 1.0, r"^(It|They|Its|Those|That|One|Others|Some|The same|Both|Each)\b"),
    ('says "where" for "if" or "when"', 0.6, r"\bwhere (it|they|there|no|none|one|that|the|a|an|he|nothing|all|some)\b"),
    ("names no subject", 0.2, r"\b(nobody|somebody|whoever)\b"),
    ('says "tell" for "report" or "return"', 0.3, r"\b(tell|tells|told)\b"),
    ("uses a bookish adverb", 0.2, r"\b(any more|anew|in vain|besides)\b"),
]


def comments(path):
    """Yields (line number, text) for each run of comment lines."""
    start, lines = 0, []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines() + [""], 1):
        line = line.strip()
        if line.startswith("//"):
            start = start or number
            lines.append(line.lstrip("/").strip())
        elif lines:
            yield start, " ".join(lines)
            start, lines = 0, []


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    folders = [root / "Sources", root / "Sandbox" / "Sources"]
    files = [p for folder in folders for p in sorted(folder.rglob("*")) if p.suffix in (".swift", ".c", ".h")]
    found = [(path, number, text) for path in files for number, text in comments(path)]
    failed = False
    for phrasing, limit, pattern in PHRASINGS:
        hits = [comment for comment in found if re.search(pattern, comment[2], re.IGNORECASE if pattern[0] != "^" else 0)]
        share = 100 * len(hits) / len(found)
        if share > limit:
            failed = True
            print(f"{share:.1f} % of the comments ({limit} % at most): {phrasing}", file=sys.stderr)
            for path, number, text in hits:
                print(f"  {path.relative_to(root)}:{number}: {text[:90]}", file=sys.stderr)
    return 1 if failed else 0


sys.exit(main())
