import sys

with open("customers.csv", "rb") as file:
    got = file.read()
expected = "nr;name;ort\r\n1;Müller;Köln\r\n2;Østergård;Århus\r\n3;Núñez;Málaga\r\n4;Lefèvre;Besançon\r\n".encode("latin-1")
if got != expected:
    sys.exit("expected %r\ngot      %r" % (expected, got))
print("ok")
