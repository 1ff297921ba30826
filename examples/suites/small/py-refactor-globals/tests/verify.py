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


import re

got = probe("""
import json
import inventory
from inventory import Inventory

def play(shop):
    seen = []
    def tried(name, *args):
        try:
            seen.append(getattr(shop, name)(*args))
        except Exception as error:
            seen.append([type(error).__name__, str(error)])
    for step in json.loads(sys.argv[1]) if len(sys.argv) > 1 else STEPS:
        tried(*step)
    return seen

STEPS = [["add", "pen", 3], ["add", "ink"], ["remove", "pen"], ["count", "pen"], ["remove", "ink"], ["count", "ink"], ["report"], ["remove", "ink"],
         ["add", "pad", 0], ["remove", "pen", 9], ["report"], ["add", "ink", 2], ["report"]]
first, second = Inventory(), Inventory()
result = [play(first), second.report(), play(inventory), play(second), first.report() == second.report()]
print()
print(json.dumps(result))
""", None)
played = [None, None, None, 2, None, 0, "pen: 2\n4 changes\n+1 ink\n-1 pen\n-1 ink", ["LookupError", "only 0 of ink"],
          ["ValueError", "number must be above 0"], ["LookupError", "only 2 of pen"], "pen: 2\n4 changes\n+1 ink\n-1 pen\n-1 ink", None,
          "ink: 2\npen: 2\n5 changes\n-1 pen\n-1 ink\n+2 ink"]
same(got, [played, "0 changes", played, played, True])
done = subprocess.run([sys.executable, "shop.py"], capture_output=True, text=True, timeout=20)
same(done.stdout, "pen: 2\n2 changes\n+3 pen\n-1 pen\n")
with open("inventory.py", encoding="utf-8") as file:
    code = file.read()
if re.search(r"^\s*global\b", code, re.MULTILINE):
    sys.exit("a global statement is left")
same(len(re.findall(r"only \{", code)), 1)
print("ok")
