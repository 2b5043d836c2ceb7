#!/usr/bin/env python3
"""Writes order.txt: the functions of cutied that handle a reply. The linker places them next to each other. A single
reply finds cold caches, and with this order it loads only a third of the pages. Called by `make order`."""
import argparse
import collections
import os
import re
import tempfile

from harness import experiments
from harness.desktop import Desktop

HERE = os.path.dirname(os.path.abspath(__file__))


FEW, MANY = 20, 60


def own_costs(account):
    """Returns {function: instructions} for cutied itself, without called functions, and {function: number of calls}."""
    names, objects = {}, {}
    costs, calls = collections.Counter(), collections.Counter()
    current, function, called, count = None, None, None, 0
    for line in account:
        named = re.match(r"(ob|cob|fn|cfn)=\((\d+)\)(?: (.*))?", line)
        if named:
            kind, number, name = named.groups()
            known = objects if kind.endswith("ob") else names
            if name:
                known[number] = name.split("'")[0]
            if kind == "ob":
                current = known[number]
            elif kind == "fn":
                function = known[number]
            elif kind == "cfn":
                called = known[number]
        elif line.startswith("calls="):
            count = int(line[len("calls="):].split()[0])
        elif line[:1] in set("0123456789+-*"):
            # The line after `calls=` contains the cost of the called function.
            if count:
                calls[called] += count
            elif current.endswith("/cutied"):
                costs[function] += int(line.split()[1])
            count = 0
    return costs, calls


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, help="where the recorder is")
    parser.add_argument("--products", required=True, help="where cutied is")
    options = parser.parse_args()
    products = {"recorder": os.path.join(options.build, "recorder"), "cutied": os.path.join(options.products, "cutied")}
    desktop = Desktop(os.path.abspath(products["recorder"]))
    try:
        with tempfile.TemporaryDirectory(prefix="order-") as directory:
            few, many = (own_costs(experiments.under_callgrind(
                desktop, products, directory, count, 1, options=["--demangle=no"])) for count in (FEW, MANY))
    finally:
        desktop.close()
    # A function that is not called at least once per additional event belongs to the start, which differs between runs.
    added = {
        name: cost - few[0][name] for name, cost in many[0].items()
        if many[1][name] - few[1][name] >= MANY - FEW and not name.startswith("0x")}
    with open(os.path.join(HERE, "order.txt"), "w") as file:
        file.writelines(name + "\n" for name in sorted(added, key=lambda name: (-added[name], name)))
    print("%d functions" % len(added))


if __name__ == "__main__":
    main()
