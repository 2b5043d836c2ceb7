#!/usr/bin/python3
"""Tests that each sandbox option of the unit takes effect in this user manager.

Runs each deed that an option forbids: without options, with that option only, and under each tier of the shipped unit.
An option takes effect if it changes the result. An option without a deed is an error. `--default` skips the stricter
tier.
"""
import os, pathlib, shutil, subprocess, sys

from restrictions import BESIDE, DEEDS, LATER, NO_CONTROLLER, OTHER, USERS, WANTED

root = pathlib.Path(__file__).resolve().parents[2]
runtime = pathlib.Path(os.environ["XDG_RUNTIME_DIR"])
token = "cutied-options-%d" % os.getpid()
work = runtime / token
units = runtime / "systemd/user"
# The system manager creates this directory at boot. Without it, a user manager cannot set up credentials
# (exit code 226).
credentials = os.path.isdir("/run/credentials")
wanted = {deed: result for deed, result in WANTED.items() if credentials or deed != "credential"}

def settings(file):
    """Returns the lines of the section [Service] in a unit of the repository."""
    section, lines = "", []
    for line in (root / "systemd" / file).read_text().splitlines():
        if line.startswith("["):
            section = line
        elif section == "[Service]" and line and not line.startswith("#"):
            lines.append(line)
    return lines


def here(text):
    """Replaces the directories of the unit with temporary ones."""
    for old, new in (
        ("%h/.local/state/cutied", "state/cutied"),
        ("%C/cutied", "cache/cutied"),
        ("%E/cutied", "config/cutied"),
        ("%t/cutied", "socket"),
    ):
        text = text.replace(old, str(work / new))
    return text


def systemctl(*arguments):
    return subprocess.run(["systemctl", "--user", *arguments], capture_output=True, text=True)


class Trial:
    """A unit with `lines` that runs `deeds`. An option may kill the unit before all deeds have run."""

    def __init__(self, name, lines, deeds):
        self.unit = "%s-%s.service" % (token, name)
        self.out = work / (name + ".out")
        command = "/usr/bin/python3 %s/deeds.py %s %s %s" % (work, token, work, " ".join(deeds))
        kept = [here(line) for line in lines if line.startswith("ExecStartPre") or not line.startswith(
            ("Type", "Exec", "Timeout", "Watchdog", "Restart"))]
        text = ["[Service]", *kept, "Type=oneshot", "ExecStart=" + command,
                "StandardOutput=truncate:%s" % self.out, "TimeoutStartSec=60"]
        if credentials:
            text.append("SetCredential=cutied:x")
        (units / self.unit).write_text("\n".join(text) + "\n")

    def outcome(self):
        """Runs the unit. Returns the results by deed, and the result of the unit."""
        systemctl("start", self.unit)
        why = systemctl("show", "-p", "Result,ExecMainStatus", "--value", self.unit).stdout.split()
        systemctl("reset-failed", self.unit)
        lines = self.out.read_text().splitlines() if self.out.exists() else []
        errors = [line for line in lines if "\t" not in line]
        return dict(line.split("\t") for line in lines if "\t" in line), " ".join(why + errors[-1:])


def untried(lines):
    unknown = [line for line in lines if line not in DEEDS and not line.startswith(OTHER)]
    return [line + " is not tried by any deed" for line in unknown]


class Table:
    """The results of all deeds: without options, with a single option, and under the tiers."""

    def __init__(self, service, dropin):
        self.service, self.dropin = service, dropin
        every = sorted({deed for deeds in DEEDS.values() for deed in deeds.split()})
        trials = {
            "without": Trial("without", [], every),
            "default": Trial("default", service, every),
        }
        if dropin:
            trials["stricter"] = Trial("stricter", service + dropin, every + sorted(wanted))
        self.tiers = [tier for tier in ("default", "stricter") if tier in trials]
        self.options = [line for line in service + dropin if line in DEEDS]
        for number, line in enumerate(self.options):
            beside = BESIDE.get(line, []) + (USERS if line in dropin else [])
            trials[line] = Trial("option%d" % number, beside + [line], DEEDS[line].split())
        systemctl("daemon-reload")
        self.outcomes = {name: trial.outcome() for name, trial in trials.items()}

    def result(self, trial, deed):
        """Returns the result of a deed; if the unit ended before the deed, the result of the unit."""
        done, end = self.outcomes[trial]
        return done.get(deed, end)

    def failures(self):
        found = untried(self.service + self.dropin)
        for tier in ["without"] + self.tiers:
            if not self.outcomes[tier][1].startswith("success"):
                found.append("%s: the unit ended with %s" % (tier, self.outcomes[tier][1]))
        for line in self.options:
            for deed in DEEDS[line].split():
                found += self.judged(line, deed)
        for deed, due in wanted.items() if self.dropin else ():
            result = self.result("stricter", deed)
            show("", deed, "", "", "", result)
            if result != due:
                found.append("stricter: %s comes to %s, not to %s" % (deed, result, due))
        if not credentials:
            print("    credential: not tried, this machine has no /run/credentials")
        return found

    def judged(self, line, deed):
        """Prints the row for an option and a deed. Returns a failure if the option has no effect."""
        before, alone = self.result("without", deed), self.result(line, deed)
        tiers = {tier: self.result(tier, deed) for tier in self.tiers}
        show(line, deed, before, alone, tiers["default"], tiers.get("stricter", ""))
        if NO_CONTROLLER in (before, alone):
            print("    not tried: this manager was not given the controller")
            return []
        restricted = {"alone": alone} | {
            tier: result for tier, result in tiers.items() if tier == "stricter" or line in self.service}
        idle = [name for name, result in restricted.items() if result == before]
        if idle and line in LATER:
            print("    no effect in this manager, as the file says")
            return []
        failure = "%s has no effect (%s): %s still comes to %s" % (line, ", ".join(idle), deed, before)
        return [failure] if idle else []


def show(option, *results):
    row = "%-61s %-22s %-12s %-12s %-12s %s"
    print(row % (option, results[0], *(str(result)[-12:] for result in results[1:])))


def main():
    for name in ("state/cutied", "cache/cutied", "config/cutied", "socket"):
        (work / name).mkdir(parents=True)
    (work / "config/cutied/config.yaml").touch()
    shutil.copy(pathlib.Path(__file__).with_name("deeds.py"), work)
    units.mkdir(parents=True, exist_ok=True)
    dropin = [] if "--default" in sys.argv else settings("cutied.service.d/hardening.conf")
    marks = [pathlib.Path("/tmp") / token, pathlib.Path.home() / ("." + token)]
    try:
        for mark in marks:
            mark.touch()
        show("option", "deed", "without", "alone", "default", "stricter")
        failures = Table(settings("cutied.service"), dropin).failures()
    finally:
        for mark in marks + list(units.glob(token + "-*")):
            mark.unlink(missing_ok=True)
        systemctl("daemon-reload")
        shutil.rmtree(work)
    for failure in failures:
        print("units: " + failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


main()
