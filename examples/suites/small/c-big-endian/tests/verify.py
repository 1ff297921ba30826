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


import struct

MAIN = r"""
#include "header.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    unsigned char all[64];
    size_t size = fread(all, 1, sizeof all, stdin);
    unsigned char *bytes = malloc(size == 0 ? 1 : size);
    struct header header = {1, 2, 3};
    memcpy(bytes, all, size);
    int result = read_header(bytes, size, &header);
    printf("%d %u %u %u\n", result, (unsigned)header.version, (unsigned)header.width, (unsigned)header.height);
    free(bytes);
    return 0;
}
"""
def packed(version, width, height, start=b"PX"):
    return start + struct.pack(">HII", version, width, height)
KEPT = "-1 1 2 3"
CASES = [
    (packed(1, 640, 480), "0 1 640 480"),
    (packed(0xfffe, 0xfffffffe, 0x80000001), "0 65534 4294967294 2147483649"),
    (packed(2, 0x01020304, 0x05060708) + b"more", "0 2 16909060 84281096"),
    (packed(0, 1, 1), "0 0 1 1"),
    (packed(1, 640, 480)[:-1], KEPT), (b"", KEPT), (b"PX", KEPT), (packed(1, 0, 1), KEPT), (packed(1, 1, 0), KEPT),
    (packed(1, 1, 1, b"PY"), KEPT), (packed(1, 1, 1, b"XP"), KEPT), (packed(1, 256, 0x100), "0 1 256 256"),
]
with tempfile.TemporaryDirectory() as folder:
    program = build(folder, MAIN, ["header.c"])
    same([run(program, data=data).decode().strip() for data, _ in CASES], [expected for _, expected in CASES])
with open("header.c", encoding="utf-8") as file:
    code = file.read()
if any(name in code for name in ("ntohl", "ntohs", "bswap", "be32toh", "be16toh")):
    sys.exit("a function that only some systems have")
print("ok")
