/** Among symbols of one name the smallest is shown first: not of a test, exported, of a short path, with few dots. */
export function symbolRanks(path: string, parents: ArrayLike<number>, isExported: (index: number) => boolean): Uint32Array {
  const base = (TEST.test(path) ? 2 ** 21 : 0) + Math.min(path.length, 2 ** 12 - 1) * 2 ** 4;
  const depths: number[] = [];
  return Uint32Array.from({length: parents.length}, (_, index) => {
    const parent = parents[index] ?? -1;
    const depth = parent < 0 ? 0 : (depths[parent] ?? 0) + 1;
    depths.push(depth);
    return base + (isExported(index) ? 0 : 2 ** 20) + Math.min(depth, 15);
  });
}

const TEST = /(?:^|\/)(?:tests?|__tests__|specs?|testdata|fixtures)\/|(?:^|\/)test_[^/]*$|[._-](?:test|spec)s?\.[^/]+$|Tests?\.[^/.]+$/;
