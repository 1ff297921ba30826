import os
import sys


def same(got, expected):
    if got != expected:
        sys.exit("expected %r\ngot      %r" % (expected, got))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


# In the order of bytes: "City Lights.JPG", "beach.jpeg", "dog.JPG", "dog.jpeg", "xbeach.jpeg".
same({name: read(os.path.join("photos", name)) for name in sorted(os.listdir("photos"))}, {
    "City Lights.jpg": "city\n", "beach-2.jpg": "beach 1\n", "beach.jpg": "beach 2\n", "dog-2.jpg": "dog 1\n", "dog-3.jpg": "dog 2\n",
    "dog.jpg": "dog 3\n", "index.md": "", "sketch.png": "png\n", "xbeach.jpg": "x\n",
})
same(read("index.md"), """# Photos

All are jpeg files; JPG is the same.

- ![beach](photos/beach-2.jpg) and ![another](photos/beach.jpg)
- ![city](photos/City Lights.jpg)
- ![dogs](photos/dog-2.jpg) ![dogs](photos/dog-3.jpg) ![dogs](photos/dog.jpg)
- ![x](photos/xbeach.jpg) ![sketch](photos/sketch.png)
""")
same(read("captions/a.txt"), "dog-3.jpg: Rex asleep\ndog-2.jpg: Rex awake\nbeach-2.jpg: July\nxbeach.jpg: not July\n")
same(read("captions/b.txt"), "City Lights.jpg: from the hill. Was a .jpeg once.\n")
print("ok")
