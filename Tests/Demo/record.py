#!/usr/bin/env python3
"""Runs commands in a pseudo-terminal and writes the session as an animated SVG.

Called by demo.sh (DEMO_THEN) while the daemon is running. The environment variable RECORDING contains the name of the
SVG file. Usage: record.py URL CONVERSATION PRODUCTS
"""
import html
import os
import pty
import re
import subprocess
import sys
import time

WIDTH, LINE, CHARACTER, MARGIN, TITLE = 110, 20, 8.4, 18, 34
COLOURS = {"31": "#bf616a", "32": "#a3be8c", "33": "#ebcb8b", "34": "#81a1c1", "35": "#b48ead", "36": "#88c0d0"}


def run(command):
    """Returns the terminal output of `command` as lines, with escape sequences for colors."""
    os.environ.update(COLUMNS=str(WIDTH), TERM="xterm-256color", TZ="UTC")
    screen, terminal = pty.openpty()
    with subprocess.Popen(["/bin/sh", "-c", command], stdin=terminal, stdout=terminal, stderr=terminal):
        os.close(terminal)
        output = b"".join(iter(lambda: read(screen), b""))
    os.close(screen)
    return output.decode().replace("\r", "").rstrip("\n").split("\n")


def read(screen):
    """Returns the next bytes; empty when the terminal is closed, which Linux reports as an error."""
    try:
        return os.read(screen, 4096)
    except OSError:
        return b""


def spans(line):
    """Converts a line to tspan elements, one per run of text with the same style."""
    look, result = {}, ""
    for text, codes in re.findall(r"([^\x1b]*)(?:\x1b\[([0-9;]*)m|$)", line):
        style = "".join(f' {name}="{value}"' for name, value in look.items())
        result += f"<tspan{style}>{html.escape(text)}</tspan>" if text else ""
        for code in codes.split(";"):
            if code in ("", "0"):
                look = {}
            elif code == "1":
                look["font-weight"] = "bold"
            elif code == "2":
                look["fill"] = "#7b8494"
            elif code in COLOURS:
                look["fill"] = COLOURS[code]
    return result


def session(conversation, message):
    """Yields the prompts and the output, each with the time in seconds at which it appears."""
    moment = 0.5
    for command in [
        "cutied ctl status",
        "cutied ctl inbox",
        f"cutied ctl show {conversation}",
        f"cutied ctl reply {conversation} 'It works, thank you!'",
        f"cutied ctl explain {message}",
        "cutied ctl read --all",
    ]:
        yield moment, f"\x1b[32m$\x1b[0m \x1b[1m{command}\x1b[0m"
        moment += 0.9
        for line in run(command):
            yield moment, line
        moment += 1.6


def picture(lines):
    width = int(WIDTH * CHARACTER + 2 * MARGIN)
    height = TITLE + len(lines) * LINE + MARGIN
    end = lines[-1][0] + 6
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace"'
        f' font-size="14">'
    )
    yield "<title>A terminal with cutied ctl</title>"
    # Readers who prefer reduced motion see the complete text without an animation.
    yield f"<style>@media (prefers-reduced-motion: no-preference) {{ text {{ animation: {end:g}s infinite }}"
    moments = sorted({moment for moment, _ in lines})
    for number, moment in enumerate(moments):
        share = 100 * moment / end
        yield f"@keyframes a{number} {{ 0%, {share:.2f}% {{ opacity: 0 }} {share + 0.01:.2f}%, 100% {{ opacity: 1 }} }}"
        yield f".a{number} {{ animation-name: a{number} }}"
    yield "}</style>"
    yield f'<rect width="{width}" height="{height}" rx="10" fill="#2e3440"/>'
    for place, colour in enumerate(["#bf616a", "#ebcb8b", "#a3be8c"]):
        yield f'<circle cx="{MARGIN + 4 + 20 * place}" cy="18" r="6" fill="{colour}"/>'
    for row, (moment, line) in enumerate(lines):
        y = TITLE + (row + 1) * LINE - 4
        yield (
            f'<text class="a{moments.index(moment)}" x="{MARGIN}" y="{y}" fill="#d8dee9"'
            f' xml:space="preserve">{spans(line)}</text>'
        )
    yield "</svg>"


def main():
    url, conversation, products = sys.argv[1:]
    os.environ["PATH"] = products + ":" + os.environ["PATH"]
    message = subprocess.run(
        ["cutie-sandbox", "reply", "--url", url, conversation, "And JSON comes with the next version."],
        check=True, capture_output=True, text=True).stdout.strip()
    while '"shown"' not in "".join(run(f"cutied ctl explain {message} --json")):
        time.sleep(0.1)
    lines = list(session(conversation, message))
    with open(os.environ["RECORDING"], "w", encoding="utf-8") as file:
        file.write("\n".join(picture(lines)) + "\n")


main()
