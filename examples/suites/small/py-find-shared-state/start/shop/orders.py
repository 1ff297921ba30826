from shop.discount import reduced


class Order:
    """A cart that was paid for."""

    def __init__(self, cart, code=None):
        self.owner = cart.owner
        self.cents = reduced(cart.total(), code)
        self.lines = collect(cart)


def collect(cart, extras=(), lines=[]):
    """The lines of a cart, and free extras."""
    for name, count in cart.lines:
        lines.append(f"{count} x {name}")
    for extra in extras:
        lines.append(f"1 x {extra}")
    return lines
