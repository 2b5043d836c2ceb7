#!/usr/bin/python3
"""Compares the file lists of the packages of `make deb`, `make rpm` and `make arch`.

A package must have the same files on every system, apart from the paths that the systems define: the license, the
changelog, compressed man pages and the completions of zsh.
"""
import glob
import re
import subprocess
import sys

PACKAGES = sorted(
    match[1] for match in re.finditer(r"^Package: (\S+)$", open("config/deb/debian/control").read(), re.M))
SYSTEM_FILES = re.compile(
    r"/usr/share/(licenses/.*|doc/[^/]+/(changelog.*|copyright)|lintian/.*)|/usr/lib/\.build-id.*|/\.[A-Z]+")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def the_file(pattern):
    found = glob.glob(pattern)
    if len(found) != 1:
        sys.exit(f"lists: {pattern}: {len(found)} files instead of 1")
    return found[0]


def deb(package):
    archive = the_file(f".build/deb/{package}_*.deb")
    # The columns are the permissions, owner, size, date, time, path, and the target of a link.
    lines = [line.split(maxsplit=5)[5].split(" -> ")[0] for line in output("dpkg-deb", "--contents", archive)]
    return [line.removeprefix(".") for line in lines]


def rpm(package):
    return output("rpm", "-qp", "--qf", "[%{FILENAMES}\t%{FILEMODES:perms}\n]",
                  the_file(f".build/rpm/RPMS/*/{package}-[0-9]*.rpm"))


def arch(package):
    return ["/" + line for line in output("bsdtar", "-tf", the_file(f".build/arch/{package}-[0-9]*.pkg.tar.*"))]


def normalized(paths):
    files = set()
    for path in paths:
        path, _, mode = path.partition("\t")
        if path.endswith("/") or mode.startswith("d") or SYSTEM_FILES.fullmatch(path):
            continue
        path = re.sub(r"(/(?:man\d|doc)/.*)\.gz$", r"\1", path)
        files.add(path.replace("/zsh/vendor-completions/", "/zsh/site-functions/"))
    return files


failed = False
for package in PACKAGES:
    lists = {kind.__name__: normalized(kind(package)) for kind in (deb, rpm, arch)}
    expected = lists.pop("deb")
    for system, files in lists.items():
        for path in sorted(expected ^ files):
            print(f"{package}: {path} is only in the package for {system if path in files else 'Debian'}")
            failed = True
    print(f"{package}: {len(expected)} files")
sys.exit(failed)
