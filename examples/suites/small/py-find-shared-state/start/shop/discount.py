REDUCTIONS = {"SPRING": 10, "LOYAL": 15}


def reduced(cents, code=None, seen={}):
    """Codes are looked up once; the table never changes."""
    if code is None:
        return cents
    if code not in seen:
        seen[code] = REDUCTIONS.get(code, 0)
    return cents - cents * seen[code] // 100
