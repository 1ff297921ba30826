import os
import subprocess
import sys
import tempfile

GOOD = """
import heapq
import itertools


class Delivery:
    def __init__(self):
        self._heap = []
        self._number = itertools.count()

    def put(self, parcel, priority=5):
        heapq.heappush(self._heap, (priority, next(self._number), parcel))

    def next(self):
        return heapq.heappop(self._heap)[-1]

    def __len__(self):
        return len(self._heap)
"""
LAST_FIRST = GOOD.replace("next(self._number)", "-next(self._number)")
BY_TEXT = GOOD.replace("next(self._number), parcel", "str(parcel), parcel")

with open("delivery.py", encoding="utf-8") as file:
    now = file.read()
with open("test_delivery.py", encoding="utf-8") as file:
    test = file.read()


def run(code):
    """The number of tests, and whether they passed, from the result itself and not from the exit code."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("delivery.py", code), ("test_delivery.py", test)):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        runner = "import sys, unittest; sys.path.insert(0, '.'); r = unittest.TextTestRunner(stream=open('log', 'w')).run(unittest.defaultTestLoader.loadTestsFromName('test_delivery')); print(); print(r.testsRun, len(r.skipped), r.wasSuccessful(), len(r.failures))"
        done = subprocess.run([sys.executable, "-I", "-c", runner], cwd=folder, capture_output=True, text=True, timeout=20)
        return (done.stdout.split("\n") or [""])[-2].split() if done.stdout.count("\n") > 1 else []


if "heappush(self._heap, (priority, parcel))" not in now:
    sys.exit("delivery.py was changed")
good, bad = run(GOOD), [run(code) for code in (now, LAST_FIRST, BY_TEXT)]
if len(good) != 4 or int(good[0]) - int(good[1]) < 1 or good[2] != "True":
    sys.exit("the test does not pass with a correct queue: %r" % good)
for result in bad:
    if len(result) != 4 or result[2] != "False" or int(result[3]) < 1:
        sys.exit("the test does not fail with a wrong queue: %r" % bad)
print("ok")
