import heapq


class Delivery:
    """Parcels leave by priority, the lowest number first; of the same priority, the one that came first."""

    def __init__(self):
        self._heap = []

    def put(self, parcel, priority=5):
        heapq.heappush(self._heap, (priority, parcel))

    def next(self):
        """The parcel that leaves now; IndexError if there is none."""
        return heapq.heappop(self._heap)[1]

    def __len__(self):
        return len(self._heap)
