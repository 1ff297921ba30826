import json
import subprocess
import sys


def probe(code, cases):
    """Runs code in a process of its own; what it prints last is the result, however it ends."""
    done = subprocess.run([sys.executable, "-I", "-c", "import sys; sys.path.insert(0, '.')\n" + code],
                          input=json.dumps(cases), capture_output=True, text=True, timeout=20)
    lines = done.stdout.splitlines()
    if not lines:
        sys.exit("nothing was printed:\n" + done.stderr)
    return json.loads(lines[-1])


def same(got, expected):
    if got != expected:
        sys.exit("expected %r\ngot      %r" % (expected, got))


import random

chance = random.Random(3)
cases = [[], [[1, 1]], [[1, 9], [2, 3]], [[4, 5], [1, 3]], [[1, 2], [4, 5]], [[-3, -1], [0, 0]]]
for _ in range(300):
    starts = [chance.randrange(40) for _ in range(chance.randrange(8))]
    cases.append([[start, start + chance.randrange(6)] for start in starts])


def expected(ranges):
    days = sorted({day for first, last in ranges for day in range(first, last + 1)})
    found = []
    for day in days:
        if found and day == found[-1][1] + 1:
            found[-1][1] = day
        else:
            found.append([day, day])
    return found


got = probe("""
import json
from ranges import merge
results = []
for case in json.load(sys.stdin):
    given = [tuple(one) for one in case]
    before = list(given)
    merged = merge(given)
    results.append([[list(one) for one in merged], given == before])
print()
print(json.dumps(results))
""", cases)
same(got, [[expected(case), True] for case in cases])
print("ok")
