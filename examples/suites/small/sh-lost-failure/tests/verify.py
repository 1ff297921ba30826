import os
import stat
import subprocess
import sys
import tempfile


def same(got, expected):
    if got != expected:
        sys.exit("expected %r\ngot      %r" % (expected, got))


def run(*args, path=None):
    env = dict(os.environ, LC_ALL="C", TMPDIR=folder)
    if path:
        env["PATH"] = path + os.pathsep + env["PATH"]
    done = subprocess.run(["bash", os.path.abspath("publish.sh"), *args], capture_output=True, text=True, timeout=20, env=env)
    return done.returncode == 0, done.stdout


def there():
    found = {}
    for name in os.listdir(folder):
        if name != "bin" and os.path.isfile(os.path.join(folder, name)):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found[name] = file.read()
    return found


with tempfile.TemporaryDirectory() as folder:
    def put(name, text):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    at = lambda name: os.path.join(folder, name)
    put("a b", "c\n\na\nb\n")
    put("target", "old\n")
    same(run(at("a b"), at("target")), (True, "published\n"))
    same(there(), {"a b": "c\n\na\nb\n", "target": "a\nb\nc\n"})
    put("target", "old\n")
    same(run(at("gone"), at("target")), (False, ""))
    same(there(), {"a b": "c\n\na\nb\n", "target": "old\n"})
    # No line is left: that is a result, too, although grep ends with 1.
    put("empty", "\n\n")
    same(run(at("empty"), at("new")), (True, "published\n"))
    same(there()["new"], "")
    os.remove(at("new"))
    # A sort that fails in the middle.
    os.mkdir(at("bin"))
    put("bin/sort", "#!/bin/sh\nhead -n 1\nexit 3\n")
    os.chmod(at("bin/sort"), stat.S_IRWXU)
    same(run(at("a b"), at("target"), path=at("bin")), (False, ""))
    same(there(), {"a b": "c\n\na\nb\n", "empty": "\n\n", "target": "old\n"})
    # A target that cannot be written.
    os.mkdir(at("folder"))
    same(run(at("a b"), at("folder/gone/x")), (False, ""))
    same(there(), {"a b": "c\n\na\nb\n", "empty": "\n\n", "target": "old\n"})
print("ok")
