"""Ships parcels between depots."""
from __future__ import annotations

import asyncio
import os.path as osp
from collections import OrderedDict, deque as queue
from dataclasses import dataclass, field
from enum import Enum
from . import rates
from .models import Parcel as Package
from ..shared.money import *

LIMIT = 40
_cache: dict[str, int] = {}
first, second = 1, 2


class Color(Enum):
    """Marks on a parcel."""

    RED = 1
    BLUE = "blue"


@dataclass(frozen=True)
class Stop:
    """A place on a route."""

    name: str
    weight: float = 0.0
    tags: list[str] = field(default_factory=list)

    @property
    def label(self) -> str:
        """What is printed."""
        return self.name.upper()

    @staticmethod
    def parse(line: str) -> Stop:
        name, weight = line.split(",")
        return Stop(name, float(weight))


class Route(Stop, rates.Rated, metaclass=type):
    count = 0

    def __init__(self, stops: list[Stop], *rest: int, depot: "Depot" = None, **options):
        self.stops = stops
        self.depot = depot or Depot()
        self._seen = {}

    async def drive(self, speed: int = LIMIT) -> Color:
        for stop in self.stops:
            await asyncio.sleep(stop.weight)
            self._visit(stop)
        with open(osp.join("a", "b")) as handle:
            handle.read()
        try:
            total = sum(s.weight for s in self.stops if s.name)
        except (ValueError, KeyError) as error:
            print(error)
        else:
            rates.charge(total)
        return Color.RED

    def _visit(self, stop: Stop) -> None:
        def mark(key):
            nonlocal_count = key
            return nonlocal_count

        self._seen[stop.name] = mark(stop)
        Route.count += 1

    class Meta:
        ordering = ["name"]


class Depot:
    def open(self) -> Route:
        route = Route([Stop.parse("a,1")])
        route.drive()
        return route


def plan(items: queue, *, key=lambda it: it.weight) -> OrderedDict:
    global LIMIT
    LIMIT = 3
    squares = {n: n * n for n in range(LIMIT)}
    if (size := len(items)) > 3:
        print(size, squares)
    depot = Depot()
    depot.open().drive(speed=2)
    return OrderedDict()


async def main():
    await plan([Package()]).drive()


def _hidden():
    pass


if __name__ == "__main__":
    asyncio.run(main())
