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


MAIN = r"""
#include "trim.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each text stands between guards that must not change, and after blanks that must not be taken for its own. */
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        size_t length = strlen(argv[i]);
        char *room = malloc(length + 33);
        memset(room, ' ', 16);
        memcpy(room + 16, argv[i], length + 1);
        memset(room + 17 + length, '#', 16);
        char *result = trim(room + 16);
        int kept = 1;
        for (int at = 0; at < 16; at++)
            kept = kept && room[at] == ' ' && room[17 + length + at] == '#';
        printf("[%s]%d%d\n", result, result == room + 16, kept);
        free(room);
    }
    return 0;
}
"""
CASES = ["a", " a ", "", " ", "\t\r\n \n", "ab", "a b", "  a  b\tc \n", "\u00a0x\u00a0", "é", " über ", "x\v", "\fx"]
# Only the four characters that the header names are blanks.
EXPECTED = ["[%s]11" % case.strip(" \t\r\n") for case in CASES]
with tempfile.TemporaryDirectory() as folder:
    program = build(folder, MAIN, ["trim.c"])
    same(run(program, *CASES).decode().rstrip("\n").split("]11\n"), "\n".join(EXPECTED).split("]11\n"))
print("ok")
