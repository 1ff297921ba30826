def merge(ranges):
    """Joins ranges (first, last) of whole days; both ends belong to a range."""
    merged = []
    ranges.sort()
    for first, last in ranges:
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], last)
        else:
            merged.append((first, last))
    return merged
