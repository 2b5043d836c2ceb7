#!/usr/bin/env python3
"""Counts the functions in the output of callgrind, by module: path.py PROGRAM FILE... [--list].

Counts functions of the sources, including their closures. Does not count initializers, properties and code that the
compiler generates.
"""

import collections
import re
import subprocess
import sys

GENERATED = re.compile(
    r"outlined|lazy|type metadata|partial apply|protocol|derived|merged|reabstraction|default argument|variable init|"
    r"one-time|method lookup|generic specialization|dispatch thunk|\$defer|implicit closure")
NO_FUNCTION = re.compile(r"witness|accessor|[aA]ddressor|deinit|\.[gs]etter|\.modify|\.read :|\binit\(|hash\(into")


def run(*command, text=None):
    return subprocess.run(command, input=text, text=True, check=True, stdout=subprocess.PIPE).stdout.splitlines()


def name_of(demangled):
    """Returns the function that contains a closure or a part of an async function."""
    name = re.sub(r"^\(\d+\) \w+ resume partial function for ", "", demangled)
    while (outer := re.sub(r"^closure #\d+ .*? in (?=\S)", "", name, count=1)) != name:
        name = outer
    return re.sub(r"<[^<>]*>", "", name).split(" -> ")[0]


def functions(program, files):
    """Returns {(file, function): threads}."""
    threads = collections.defaultdict(set)
    for file in files:
        with open(file, errors="replace") as lines:
            for line in lines:
                if found := re.match(r"c?fn=\(\d+\) (\$s[^'\s]+)", line):
                    threads[found[1]].add(file.rsplit("-", 1)[1])
    symbols = list(threads)
    addresses = {words[2]: words[0] for words in (line.split(" ", 2) for line in run("nm", program)) if len(words) == 3}
    places = run(
        "llvm-symbolizer", "--obj=" + program, "--output-style=GNU", "--no-demangle",
        text="\n".join("0x" + addresses.get(symbol, "0") for symbol in symbols))[1::2]
    result = collections.defaultdict(set)
    for symbol, name, place in zip(symbols, run("swift", "demangle", text="\n".join(symbols)), places):
        if "/Sources/" not in place or "/Sources/C/" in place or GENERATED.match(name) or NO_FUNCTION.search(name):
            continue
        file = place.rsplit("/Sources/", 1)[1].split(":")[0]
        result[file, name_of(name)] |= threads[symbol]
    return result


def main():
    words = [word for word in sys.argv[1:] if word != "--list"]
    found = functions(words[0], words[1:])
    modules = collections.defaultdict(set)
    for file, name in found:
        modules["/".join(file.split("/")[:2])].add((file, name))
    for module, content in sorted(modules.items(), key=lambda item: -len(item[1])):
        print(f"{len(content):4} functions in {len({file for file, _ in content}):3} files  {module}")
    for layer in sorted({module.split("/")[0] for module in modules}) + [""]:
        own = [place for place in found if place[0].startswith(layer)]
        print(f"{len(own):4} functions in {len({file for file, _ in own}):3} files  {layer or 'all layers'}")
    print("threads:", ", ".join(sorted({thread for names in found.values() for thread in names})))
    if "--list" in sys.argv:
        for (file, name), names in sorted(found.items()):
            print(file, name, ",".join(sorted(names)))


if __name__ == "__main__":
    main()
