/** The fewest edits that turn the pattern into some part of the text (Sellers 1980). Time: the product of both lengths. */
export function substringDistance(pattern: string, text: string): number {
  let column = Int32Array.from({length: pattern.length + 1}, (_, row) => row);
  let next = new Int32Array(pattern.length + 1);
  let best = pattern.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    next[0] = 0;
    for (let row = 1; row <= pattern.length; row++) {
      const replaced = (column[row - 1] ?? 0) + (pattern.charCodeAt(row - 1) === unit ? 0 : 1);
      const inserted = Math.min(column[row] ?? 0, next[row - 1] ?? 0) + 1;
      next[row] = Math.min(replaced, inserted);
    }
    best = Math.min(best, next[pattern.length] ?? best);
    [column, next] = [next, column];
  }
  return best;
}
