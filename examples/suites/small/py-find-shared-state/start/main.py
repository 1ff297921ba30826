from shop.cart import Cart
from shop.orders import Order

first = Order(Cart("Ada").add("pen", 2))
second = Order(Cart("Grace").add("ink"))
print(first.lines, second.lines)
