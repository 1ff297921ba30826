stock = {}
log = []
changes = 0


def add(name, number=1):
    global changes
    if number < 1:
        raise ValueError("number must be above 0")
    stock[name] = stock.get(name, 0) + number
    log.append(f"+{number} {name}")
    changes += 1


def remove(name, number=1):
    global changes
    if stock.get(name, 0) < number:
        raise LookupError(f"only {stock.get(name, 0)} of {name}")
    stock[name] -= number
    if stock[name] == 0:
        del stock[name]
    log.append(f"-{number} {name}")
    changes += 1


def count(name):
    return stock.get(name, 0)


def report():
    lines = [f"{name}: {stock[name]}" for name in sorted(stock)]
    return "\n".join(lines + [f"{changes} changes", *log[-3:]])
