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


GOOD = {
    "0": 0, "12": 12, "12 B": 12, "1k": 1000, "1KB": 1000, "1 kb": 1000, "1KiB": 1024, "1ki": 1024, "1.5 MiB": 1572864, " 2g ": 2 * 10**9,
    "3TB": 3 * 10**12, "4TiB": 4 * 2**40, "0.5": 1, "0.4": 0, "1.0005k": 1001, "0.1 MiB": 104858, "1.": 1, ".5k": 500, "9007199254740993": 9007199254740993,
    "2.5": 3,
}
BAD = ["", " ", "-1", "k", "1 kk", "1e3", "1,5", "0x10", "1 K B", "nan", "inf", "1 Xi", "1_000", "1.2.3", "12 13", "١", "."]
SHOWN = {0: "0 B", 1: "1 B", 1023: "1023 B", 1024: "1 KiB", 1500: "1500 B", 2048: "2 KiB", 1536 * 1024: "1536 KiB", 2**20: "1 MiB", 3 * 2**30: "3 GiB",
         5 * 2**40: "5 TiB", 2**50: "1024 TiB", 2**40 + 1: "1099511627777 B"}
got = probe("""
import json
from sizes import parse, show
cases = json.load(sys.stdin)
def tried(text):
    try:
        return ["value", parse(text), type(parse(text)).__name__]
    except ValueError as error:
        return ["ValueError", text.strip() in str(error)]
    except Exception as error:
        return [type(error).__name__]
result = {"good": [tried(text) for text in cases["good"]], "bad": [tried(text) for text in cases["bad"]], "shown": [show(count) for count in cases["shown"]]}
print()
print(json.dumps(result))
""", {"good": list(GOOD), "bad": BAD, "shown": list(SHOWN)})
same(dict(zip(GOOD, got["good"])), {text: ["value", size, "int"] for text, size in GOOD.items()})
same(dict(zip(BAD, got["bad"])), {text: ["ValueError", True] for text in BAD})
same(dict(zip(SHOWN, got["shown"])), SHOWN)
print("ok")
