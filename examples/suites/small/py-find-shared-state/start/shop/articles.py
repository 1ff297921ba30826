PRICES = {"pen": 120, "ink": 450, "pad": 300}


def price_of(name):
    if name not in PRICES:
        raise KeyError(name)
    return PRICES[name]
