from shop.articles import price_of


class Cart:
    """The articles of one customer."""

    currency = "EUR"

    def __init__(self, owner):
        self.owner = owner
        self.lines = []

    def add(self, name, count=1):
        self.lines.append((name, count))
        return self

    def total(self):
        return sum(price_of(name) * count for name, count in self.lines)
