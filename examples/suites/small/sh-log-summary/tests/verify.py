import collections
import random
import subprocess
import sys


def run(text):
    done = subprocess.run(["bash", "summary.sh"], input=text.encode(), capture_output=True, timeout=20)
    return done.returncode, done.stdout.decode()


def expected(text):
    paths, errors = collections.Counter(), 0
    for line in text.splitlines():
        fields = line.split(" ")
        if len(fields) != 6 or "" in fields or not (fields[4].isascii() and fields[4].isdigit() and len(fields[4]) == 3):
            continue
        paths[fields[3].split("?")[0]] += 1
        errors += fields[4].startswith("5")
    top = min(paths.items(), key=lambda item: (-item[1], item[0].encode()), default=None)
    return 0, f"requests: {sum(paths.values())}\nerrors: {errors}\ntop: {'-' if top is None else f'{top[0]} ({top[1]})'}\n"


chance = random.Random(5)
PATHS = ["/b", "/a", "/a?x=1", "/a?x=2", "/%41", "/B", "/api/items?q=a?b", "/*"]
def line():
    return " ".join(["10.0.0.1", "08:00", "GET", chance.choice(PATHS), chance.choice(["200", "404", "500", "599", "600", "50", "5000", "5x3"]), "1"])
texts = ["", "broken\n", "a b c /x 200 1\n", "a b c /x 200 1", "a b c /x 200 1 extra\na b c /y 200\n", "a b c /b 500 1\na b c /a 599 1\n", "a b c /n 600 1\na b c /%s 500 1\na b c /%s 500 1\n"]
texts += ["\n".join(line() for _ in range(60)) + "\n" for _ in range(5)]
texts.append("\n".join(line() for _ in range(200_000)) + "\n")
for text in texts:
    if run(text) != expected(text):
        sys.exit("for %r\nexpected %r\ngot      %r" % (text[:300], expected(text), run(text)))
print("ok")
