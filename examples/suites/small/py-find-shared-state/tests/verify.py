import hashlib
import json
import os
import sys

SUMS = {
    "main.py": "c3d84b706fb8ed7315a67a3410ccd3b7ebbde0aad7272e47e8f113bd81c82a35",
    "shop/__init__.py": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "shop/articles.py": "7fc000cd911a7f8f90cecb566db20354972fb394a419ad5b64e83dd1b83c52d1",
    "shop/cart.py": "9b7a299cc7042ed82a15825d18d309565ee6d07237492e9e06042197d5d70a7d",
    "shop/discount.py": "c716a4bd84c42b3a2eaee25357b7f76c2af4bc7c821492e362cf78d7595e6cb6",
    "shop/orders.py": "8768c4a56761aca30898a739862d87272f762c49324765c8d3aaece2b178a24e",
}

with open("answer.json", encoding="utf-8") as file:
    answer = json.load(file)
if os.path.normpath(answer["file"]) != os.path.join("shop", "orders.py"):
    sys.exit("not that file")
# `discount.py` has a default that is changed, too, but what it keeps never differs.
if answer["function"] not in ("collect", "collect()") or answer["line"] != 13 or isinstance(answer["line"], bool):
    sys.exit("not that function or line")
words = answer["explanation"].lower()
if len(words.split()) < 8 or "default" not in words or not any(word in words for word in ("shared", "once", "same list", "same object", "every call", "all calls", "each call", "calls")):
    sys.exit("the explanation does not say why")
for path, digest in SUMS.items():
    with open(path, "rb") as file:
        if hashlib.sha256(file.read()).hexdigest() != digest:
            sys.exit(path + " was changed")
print("ok")
