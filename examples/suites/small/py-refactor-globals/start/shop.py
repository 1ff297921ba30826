import inventory

inventory.add("pen", 3)
inventory.remove("pen")
print(inventory.report())
