/** Index pairs of equal lines, ascending in both: a longest common subsequence; of large middles only the common ends. */
export function alignLines(left: readonly string[], right: readonly string[]): [number, number][] {
  const shorter = Math.min(left.length, right.length);
  let head = 0;
  while (head < shorter && left[head] === right[head]) head++;
  let tail = 0;
  while (tail < shorter - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail++;
  const middle = longestCommon(left.slice(head, left.length - tail), right.slice(head, right.length - tail));
  return [
    ...Array.from({length: head}, (_, index): [number, number] => [index, index]),
    ...middle.map(([i, j]): [number, number] => [i + head, j + head]),
    ...Array.from({length: tail}, (_, index): [number, number] => [left.length - tail + index, right.length - tail + index]),
  ];
}

const MAX_CELLS = 1_000_000;

function longestCommon(left: readonly string[], right: readonly string[]): [number, number][] {
  const width = right.length + 1;
  if (left.length === 0 || right.length === 0 || (left.length + 1) * width > MAX_CELLS) return [];
  const lengths = commonLengths(left, right);
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length;) {
    if (left[i] === right[j]) pairs.push([i++, j++]);
    else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i++;
    else j++;
  }
  return pairs;
}

/** Cell (i, j): length of the longest common subsequence of what follows from i and from j. */
function commonLengths(left: readonly string[], right: readonly string[]): Uint32Array {
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const equal = left[i] === right[j];
      const below = lengths[(i + 1) * width + j] ?? 0;
      const beside = lengths[i * width + j + 1] ?? 0;
      lengths[i * width + j] = equal ? 1 + (lengths[(i + 1) * width + j + 1] ?? 0) : Math.max(below, beside);
    }
  }
  return lengths;
}
