import json
import os
import sys

EXPECTED = {
    "api": ["version", "name", {"port": 8080, "protocol": "https"}, ["retries", 3]],
    "web": ["version", "name", {"port": 443, "protocol": "http"}, ["theme", "dark"]],
    "jobs": ["version", "name", {"port": 9000, "protocol": "https"}, ["queue", {"size": 10, "port": 7}]],
    "mail": ["version", "name", {"port": 25, "protocol": "http"}, ["from", "ops@example.com"]],
}
for name, (_, _, listen, (key, value)) in EXPECTED.items():
    with open(f"config/{name}.json", encoding="utf-8", newline="") as file:
        text = file.read()
    expected = {"version": 2, "name": name, "listen": listen, key: value}
    got = json.loads(text)
    if got != expected or list(got) != list(expected) or not isinstance(got["version"], int):
        sys.exit(f"{name}: expected {expected}, got {got}")
    if not text.startswith('{\n  "version": 2,\n') or not text.endswith("\n}\n") or "\r" in text:
        sys.exit(f"{name}: not indented with two spaces, or no line break at the end")
with open("config/done.json", "rb") as file:
    if file.read() != b'{\n  "version": 2,\n  "name": "done",\n  "listen": {"port": 1, "protocol": "http"}\n}\n':
        sys.exit("done.json was changed")
with open("config/notes.txt", "rb") as file:
    if file.read() != b'"version": 1 is old, see docs.\n':
        sys.exit("notes.txt was changed")
if sorted(os.listdir("config")) != ["api.json", "done.json", "jobs.json", "mail.json", "notes.txt", "web.json"]:
    sys.exit("other files in config/")
print("ok")
