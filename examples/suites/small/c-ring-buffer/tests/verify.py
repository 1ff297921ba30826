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


import random

MAIN = r"""
#include "ring.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads operations: `w TEXT`, `r COUNT`, `d COUNT` (throw away). */
int main(int argc, char **argv)
{
    char name, text[256];
    struct ring *none = ring_new(0);
    struct ring *ring = ring_new((size_t)atoi(argv[argc - 1]));
    ring_free(NULL);
    printf("%d\n", none == NULL && ring != NULL);
    while (scanf(" %c %255s", &name, text) == 2) {
        if (name == 'w') {
            printf("%zu ", ring_write(ring, text, strlen(text)));
        } else {
            char bytes[256];
            memset(bytes, 0, sizeof bytes);
            size_t count = ring_read(ring, name == 'r' ? bytes : NULL, (size_t)atoi(text));
            printf("%zu%s ", count, bytes);
            if (bytes[count] != 0)
                printf("(too many bytes) ");
        }
        printf("%zu\n", ring_used(ring));
    }
    ring_free(ring);
    return 0;
}
"""
chance = random.Random(9)
with tempfile.TemporaryDirectory() as folder:
    program = build(folder, MAIN, ["ring.c"])
    for size in (1, 2, 7, 64):
        operations, expected, held = [], ["1"], ""
        for number in range(400):
            if chance.random() < 0.5:
                text = "".join(chance.choice("abcdefgh") for _ in range(1 + chance.randrange(min(2 * size, 100))))
                fits = text[: size - len(held)]
                held += fits
                operations.append("w " + text)
                expected.append("%d %d" % (len(fits), len(held)))
            else:
                count, name = chance.randrange(size + 2), chance.choice("rrd")
                taken, held = held[:count], held[count:]
                operations.append("%s %d" % (name, count))
                expected.append("%d%s %d" % (len(taken), taken if name == "r" else "", len(held)))
        same(run(program, str(size), data="\n".join(operations).encode()).decode().splitlines(), expected)
print("ok")
