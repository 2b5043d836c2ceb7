#!/usr/bin/env python3
"""Counts the functions on the way of a reply in the output of callgrind: path.py PROGRAM FILE... [--list] [--all].

A function is on the way if it has an effect of a reply, or calls such a function directly or through other functions.
The effects are listed in EFFECTS and HAND_OVER. Functions that only compute a value, such as decoders and texts, are
not on the way. Closures count as part of the function that contains them, so a function that only calls a closure
passed to it is not on the way either. Initializers, properties and code that the compiler generates do not count.
With --all, counts every function that ran, including functions that compute values.
"""

import collections
import re
import subprocess
import sys

EFFECTS = (
    "Store.CompiledStatement.run",  # executes a statement that writes, or COMMIT
    "EventLog.AccountTransaction.recordAnnouncement",  # records that the reply is about to be shown
    "EventLog.SequenceHead.advance",  # wakes the readers of the log
    "Desktop.NotificationHandle.show",  # calls Notify
    "Desktop.GLibThread.enqueueWork",  # passes the notification to the thread of libnotify
)
# Resumes the task that waits for a result, for example for received bytes.
HAND_OVER = "Swift.CheckedContinuation.resume"

GENERATED = re.compile(
    r"outlined|lazy|type metadata|partial apply|protocol|derived|merged|reabstraction|default argument|variable init|"
    r"one-time|method lookup|generic specialization|dispatch thunk|\$defer|implicit closure")
THUNK = re.compile(r"partial apply|protocol witness for|reabstraction|dispatch thunk|implicit closure")
NO_FUNCTION = re.compile(
    r"witness|accessor|[aA]ddressor|deinit|\.[gs]etter|\.modify|\.read :|\b(__allocating_)?init\(|hash\(into")
CLOSURE = re.compile(r"(\(\d+\) \w+ resume partial function for )?closure #")
# The part of an async function that runs after a call has returned.
RESUMED = re.compile(r"T[YQ]\d*_$")


def run(*command, text=None):
    return subprocess.run(command, input=text, text=True, check=True, stdout=subprocess.PIPE).stdout.splitlines()


def name_of(demangled):
    """Returns the function that contains a closure or a part of an async function."""
    name = re.sub(r"\((\w+) in _[0-9A-F]{32}\)", r"\1", demangled)
    name = re.sub(r"^\(\d+\) \w+ resume partial function for ", "", name)
    while (outer := re.sub(r"^closure #\d+ .*? in (?=\S)", "", name, count=1)) != name:
        name = outer
    return re.sub(r"<[^<>]*>", "", name).split(" -> ")[0]


def calls_in(files):
    """Returns {symbol: threads} and {caller: symbols}."""
    threads, calls = collections.defaultdict(set), collections.defaultdict(set)
    for file in files:
        names, caller, callee = {}, None, None
        with open(file, errors="replace") as lines:
            for line in lines:
                if found := re.match(r"(c?)fn=\((\d+)\)(?: ([^'\n]+))?", line):
                    if found[3]:
                        names[found[2]] = found[3]
                    symbol = names[found[2]]
                    threads[symbol].add(file.rsplit("-", 1)[1])
                    caller, callee = (caller, symbol) if found[1] else (symbol, callee)
                elif line.startswith("calls="):
                    calls[caller].add(callee)
    return threads, calls


class Program:
    """The functions that a program ran."""

    def __init__(self, program, files):
        threads, self._calls = calls_in(files)
        symbols = [symbol for symbol in threads if symbol.startswith("$s")]
        addresses = {words[2]: words[0] for words in (line.split(" ", 2) for line in run("nm", program)) if len(words) == 3}
        places = run(
            "llvm-symbolizer", "--obj=" + program, "--output-style=GNU", "--no-demangle",
            text="\n".join("0x" + addresses.get(symbol, "0") for symbol in symbols))[1::2]
        self._names = dict(zip(symbols, run("swift", "demangle", text="\n".join(symbols))))
        self._functions = {}
        self.all = collections.defaultdict(set)
        for symbol, place in zip(symbols, places):
            name = self._names[symbol]
            if "/Sources/" not in place or "/Sources/C/" in place or GENERATED.match(name):
                continue
            function = place.rsplit("/Sources/", 1)[1].split(":")[0], name_of(name)
            self._functions[symbol] = function
            if not NO_FUNCTION.search(name):
                self.all[function] |= threads[symbol]

    def on_the_way(self):
        """Returns the functions that have an effect or lead to one: {(file, function): threads}."""
        callers = collections.defaultdict(set)
        found = []
        for symbol, function in self._functions.items():
            callees, resumes = self._callees(symbol)
            for callee in callees:
                callers[callee].add(function)
            if resumes or function[1].split("(")[0] in EFFECTS:
                found.append(function)
        way = set()
        while found:
            function = found.pop()
            if function not in way:
                way.add(function)
                found += callers[function]
        return {function: threads for function, threads in self.all.items() if function in way}

    def _callees(self, symbol):
        """Returns the called functions, also those that are called through thunks, and whether a task is resumed."""
        callees, resumes, seen, pending = set(), False, {symbol}, list(self._calls[symbol])
        while pending:
            callee = pending.pop()
            name = self._names.get(callee, "")
            resumes = resumes or name.startswith(HAND_OVER)
            # A call of a resumed part is the return to the caller.
            if callee in seen or RESUMED.search(callee):
                continue
            seen.add(callee)
            # A closure is part of the function that contains it, not of a function to which it is passed.
            is_closure = CLOSURE.match(name) and self._functions.get(callee) != self._functions[symbol]
            if callee in self._functions and not is_closure:
                callees.add(self._functions[callee])
            elif THUNK.match(name):
                pending += self._calls[callee]
        return callees, resumes


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    program = Program(words[0], words[1:])
    found = program.all if "--all" in sys.argv else program.on_the_way()
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
