import os
import subprocess
import sys
import tempfile


def same(got, expected):
    if got != expected:
        sys.exit("expected %r\ngot      %r" % (expected, got))


def build(folder, main, sources, flags=()):
    """Compiles sources of the working folder with a main of ours, and returns the program."""
    path = os.path.join(folder, "main.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(main)
    program = os.path.join(folder, "program")
    done = subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", *flags, "-I.", "-o", program, path, *sources], capture_output=True, text=True, timeout=20)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return program


def run(program, *args, data=b""):
    done = subprocess.run([program, *args], input=data, capture_output=True, timeout=20)
    if done.returncode != 0:
        sys.exit("exit code %d: %r" % (done.returncode, done.stderr))
    return done.stdout


import re
import shutil

def make(*args):
    done = subprocess.run(["make", *args], cwd=folder, capture_output=True, text=True, timeout=20)
    if done.returncode != 0 or "warning" in done.stderr:
        sys.exit("make: %s%s" % (done.stdout, done.stderr))
    return done.stdout

with tempfile.TemporaryDirectory() as outer:
    folder = os.path.join(outer, "work")
    shutil.copytree(".", folder, ignore=shutil.ignore_patterns("hidden-tests", "calc", "*.o"))
    make("calc")
    program = os.path.join(folder, "calc")
    lines = ["1+2*3", "(1+2)*3", "2 - 3 - 4", "", "1+", "((1)", "7 7", "12*(3-(4-5))", " 5 ", "x"]
    same(run(program, data="\n".join(lines).encode()).decode().split(), ["7", "9", "-5", "error", "error", "error", "error", "48", "5", "error"])
    # A change of the header must reach both objects.
    for name in os.listdir(folder):
        os.utime(os.path.join(folder, name), (1_000_000_000, 1_000_000_000))
    with open(os.path.join(folder, "parser.h"), "a", encoding="utf-8") as file:
        file.write("#define CHANGED 1\n")
    if "up to date" in make("calc"):
        sys.exit("calc is not built again when parser.h changes")
    for name in ("parser.c", "calc.c"):
        subprocess.run(["gcc", "-std=c11", "-c", "-o", os.path.join(outer, name + ".o"), name], check=True, timeout=20, capture_output=True)
    names = subprocess.run(["nm", "-g", "--defined-only", os.path.join(outer, "parser.c.o")], capture_output=True, text=True, timeout=20).stdout.split()
    same([name for name in names if name.startswith("parse")], ["parse_line"])
with open("calc.c", encoding="utf-8") as file:
    code = file.read()
if re.search(r"parse_(?!line)|struct parser|\.c\"", code):
    sys.exit("calc.c has more than main")
with open("parser.h", encoding="utf-8") as file:
    header = file.read()
if "struct parser" in header or len(re.findall(r"\bparse_\w+\s*\(", header)) != 1:
    sys.exit("parser.h has more than parse_line")
print("ok")
