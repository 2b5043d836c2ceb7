#!/usr/bin/env python3
"""extract.py FILE...: prints a gettext template with the translatable strings of Swift sources.

xgettext before version 0.26 does not support Swift. This script finds:

    localized("text", context: "...", ["name": value])
    localized(one: "text", other: "text", count: n)
    localizable("text")

A `// Translators:` comment above a call is copied to the template. A concatenated string is an error, because no
catalogue could contain it.
"""
import re
import sys

TOKENS = re.compile(
    r'(?P<comment>//[^\n]*)|(?P<block>/\*)|(?P<string>#*"""|#*")|(?P<word>[A-Za-z_][A-Za-z0-9_]*)'
    r'|(?P<space>\s+)|(?P<sign>.)', re.S)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", '"': '"', "'": "'", "\\": "\\"}
PLACEHOLDER = re.compile(r"\{[A-Za-z]+\}")


class Source:
    def __init__(self, path):
        self.path, self.text = path, open(path, encoding="utf-8").read()

    def fail(self, place, sentence):
        line = self.text.count("\n", 0, place) + 1
        sys.exit(f"{self.path}:{line}: {sentence}")

    def tokens(self, start=0, inside=False):
        """Returns the tokens (kind, value, place) up to the end, or up to the parenthesis that closes an
        interpolation."""
        found, depth, at = [], 0, start
        while at < len(self.text):
            match = TOKENS.match(self.text, at)
            kind, value, place, at = match.lastgroup, match.group(), at, match.end()
            if kind == "block":
                at = self.after_block(at)
            elif kind == "string":
                value, at, nested = self.string(value, at, place)
                found.append(("string", value, place))
                found += nested
            elif kind in ("word", "comment"):
                found.append((kind, value, place))
            elif kind == "sign":
                depth += (value == "(") - (value == ")")
                if inside and depth < 0:
                    return found, at
                found.append((kind, value, place))
        return found, at

    def after_block(self, at):
        depth = 1
        while depth:
            match = re.compile(r"/\*|\*/").search(self.text, at)
            if not match:
                return len(self.text)
            depth += 1 if match.group() == "/*" else -1
            at = match.end()
        return at

    def string(self, opening, at, place):
        """Parses a string. Returns its value (None if it has interpolations), the end position, and the
        tokens of the interpolations."""
        hashes = opening.count("#")
        closing, escape = opening[hashes:] + "#" * hashes, "\\" + "#" * hashes
        value, nested, whole = "", [], True
        while not self.text.startswith(closing, at):
            if at >= len(self.text):
                self.fail(place, "the text does not end")
            if not self.text.startswith(escape, at):
                value += self.text[at]
                at += 1
                continue
            at += len(escape)
            sign = self.text[at]
            if sign == "(":
                inner, at = self.tokens(at + 1, inside=True)
                # An interpolation does not belong to the arguments of the call that contains the string.
                nested += [("apart", inner, place)]
                whole = False
            elif sign == "u":
                end = self.text.index("}", at)
                value += chr(int(self.text[at + 2:end], 16))
                at = end + 1
            elif sign in " \n" and len(opening) - hashes == 3:
                value += "\\\n"
                at = self.text.index("\n", at) + 1
            else:
                value += ESCAPES[sign]
                at += 1
        if len(opening) - hashes == 3:
            value = self.unindented(value)
        return (value if whole else None), at + len(closing), nested

    @staticmethod
    def unindented(value):
        """Returns a multi-line string without the indentation of its last line. Joins lines that end with a
        backslash."""
        lines = value.split("\n")[1:]
        indentation = len(lines[-1])
        lines = [line[indentation:] for line in lines[:-1]]
        return "\n".join(lines).replace("\\\n", "")


def arguments(tokens, at):
    """Returns the arguments of the call whose parenthesis is at `at`, as (label, tokens)."""
    depth, found, current = 0, [], []
    for kind, value, place in tokens[at:]:
        if kind == "comment":
            continue
        if kind == "sign" and value in "([{":
            depth += 1
            if depth == 1:
                continue
        if kind == "sign" and value in ")]}":
            depth -= 1
            if depth == 0:
                break
        if kind == "sign" and value == "," and depth == 1:
            found.append(current)
            current = []
        else:
            current.append((kind, value, place))
    found.append(current)
    labelled = []
    for argument in found:
        if len(argument) > 1 and argument[0][0] == "word" and argument[1][:2] == ("sign", ":"):
            labelled.append((argument[0][1], argument[2:]))
        else:
            labelled.append((None, argument))
    return labelled


def remark(tokens, at):
    """Returns the comment for translators on the lines before."""
    lines = []
    for kind, value, _ in reversed(tokens[:at]):
        if kind == "comment":
            lines.insert(0, value.lstrip("/ "))
            if lines[0].startswith("Translators:"):
                return lines
        elif lines or value in (";", "{", "}"):
            break
    return []


def messages(source, tokens):
    for at, (kind, value, place) in enumerate(tokens):
        if kind == "apart":
            yield from messages(source, value)
        if kind != "word" or value not in ("localized", "localizable") or at + 1 == len(tokens):
            continue
        if tokens[at + 1][:2] != ("sign", "(") or at and tokens[at - 1][:2] == ("word", "func"):
            continue
        call = arguments(tokens, at + 1)
        texts = {}
        for number, (label, content) in enumerate(call):
            if label in ("one", "other", "context") or label is None and number == 0:
                if len(content) != 1 or content[0][0] != "string" or content[0][1] is None:
                    source.fail(place, "a text that is translated is one literal, with {name} for values")
                texts[label] = content[0][1]
        if any(label == "received" for label, _ in call):
            continue
        one, other = texts.get(None) or texts.get("one"), texts.get("other")
        if one:
            yield texts.get("context"), one, other, source.path, remark(tokens, at)


def quoted(text):
    text = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    if "\n" not in text.rstrip("\n"):
        return '"' + text.replace("\n", "\\n") + '"'
    return '""\n' + "\n".join('"' + line.replace("\n", "\\n") + '"' for line in text.splitlines(True))


def main(paths):
    found = {}
    for path in sorted(paths):
        source = Source(path)
        for context, one, other, place, remarks in messages(source, source.tokens()[0]):
            entry = found.setdefault((context, one), {"other": None, "places": [], "remarks": []})
            if entry["other"] and other and entry["other"] != other:
                sys.exit(f"{place}: “{one}” has two plurals")
            entry["other"] = entry["other"] or other
            entry["places"] += [place] if place not in entry["places"] else []
            entry["remarks"] += [line for line in remarks if line not in entry["remarks"]]
    print('msgid ""\nmsgstr ""\n"Project-Id-Version: cutied\\n"\n"MIME-Version: 1.0\\n"')
    print('"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"')
    print('"Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n"')
    for (context, one), entry in found.items():
        print()
        for line in entry["remarks"]:
            print("#. " + line)
        for place in entry["places"]:
            print("#: " + place)
        if PLACEHOLDER.search(one + (entry["other"] or "")):
            # Makes msgfmt compare the placeholders.
            print("#, python-brace-format")
        if context:
            print("msgctxt " + quoted(context))
        print("msgid " + quoted(one))
        if entry["other"]:
            print("msgid_plural " + quoted(entry["other"]))
            print('msgstr[0] ""\nmsgstr[1] ""')
        else:
            print('msgstr ""')


main(sys.argv[1:])
