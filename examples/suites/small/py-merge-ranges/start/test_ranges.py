import unittest

from ranges import merge


class MergeTest(unittest.TestCase):
    def test_overlap(self):
        self.assertEqual(merge([(1, 3), (2, 5)]), [(1, 5)])


if __name__ == "__main__":
    unittest.main()
