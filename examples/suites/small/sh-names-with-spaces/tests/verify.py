import os
import subprocess
import sys
import tempfile

FILES = {"b": "1\n2\n", "a file": "1\n", "-n": "x\n" * 3, ".hidden": "", "c*": "no end", "ä": "1\n2\n3\n4\n", "  two  spaces": "\n"}


def run(*args, cwd=None):
    done = subprocess.run(["bash", os.path.abspath("count-lines.sh"), *args], capture_output=True, text=True, timeout=20, cwd=cwd, env={**os.environ, "LC_ALL": "C.UTF-8"})
    return done.returncode, done.stdout, done.stderr


def same(got, expected):
    if got != expected:
        sys.exit("expected %r\ngot      %r" % (expected, got))


with tempfile.TemporaryDirectory() as folder:
    place = os.path.join(folder, "a place")
    os.makedirs(os.path.join(place, "a folder"))
    for name, text in FILES.items():
        with open(os.path.join(place, name), "w", encoding="utf-8") as file:
            file.write(text)
    expected = sorted(f"{name}: {text.count(chr(10))}" for name, text in FILES.items())
    code, out, err = run(place)
    same((code, sorted(out.splitlines()), err), (0, expected, ""))
    names = [line.rsplit(": ", 1)[0] for line in out.splitlines()]
    with_letters = [name for name in names if name in ("a file", "b", "c*", "ä")]
    same(with_letters, ["a file", "b", "c*", "ä"])
    same(run("a place", cwd=folder)[:2], (0, out))
    empty = os.path.join(folder, "empty")
    os.makedirs(empty)
    same(run(empty), (0, "", ""))
    code, out, err = run(os.path.join(folder, "gone"))
    same((code, out, err != ""), (2, "", True))
print("ok")
