import type {Syntax} from './syntax.ts';

/**
 * One tree of two texts that are parts of the same one, each with blanks where the other has something: what stands at the top of `apart` is
 * put before the first node that begins behind it, beside that.
 */
export function joinSyntax(syntax: Syntax, apart: Syntax): Syntax {
  if (apart.count <= 1) return syntax;
  const rows = inOrder(syntax, apart);
  const {now, begin} = positions(rows, syntax.count);
  const joined = emptySyntax(syntax, rows.length);
  /** The parent of the next row that is no other. */
  let beside = 0;
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at] ?? 0;
    if (row < 0) {
      moveRow(joined, at, {from: apart, index: ~row});
      if (apart.parent[~row] === 0) joined.parent[at] = beside;
      continue;
    }
    moveRow(joined, at, {from: syntax, index: row});
    beside = now[syntax.parent[row] ?? -1] ?? -1;
    joined.parent[at] = beside;
    joined.after[at] = begin[syntax.after[row] ?? 0] ?? 0;
  }
  joined.after[0] = rows.length;
  return joined;
}

/** Its parent and its end move as it does: right where all in between is of the same text. */
function moveRow(joined: Syntax, at: number, {from, index}: {readonly from: Syntax; readonly index: number}): void {
  joined.type[at] = from.type[index] ?? 0;
  joined.field[at] = from.field[index] ?? 0;
  joined.start[at] = from.start[index] ?? 0;
  joined.end[at] = from.end[index] ?? 0;
  joined.parent[at] = at - index + (from.parent[index] ?? 0);
  joined.after[at] = at - index + (from.after[index] ?? 0);
}

/** The rows of both by where they begin, the roots in one; those of `apart` as `~row`. */
function inOrder(syntax: Syntax, apart: Syntax): number[] {
  const rows: number[] = [0];
  let other = 1;
  for (let row = 1; row <= syntax.count; row++) {
    const start = row === syntax.count ? Infinity : (syntax.start[row] ?? 0);
    for (; other < apart.count && (apart.start[other] ?? 0) < start; other++) rows.push(~other);
    if (row < syntax.count) rows.push(row);
  }
  return rows;
}

interface Positions {
  /** Where a row of the first is now. */
  readonly now: Int32Array;
  /** Where it begins with the rows of the other that were put before it. */
  readonly begin: Int32Array;
}

function positions(rows: readonly number[], count: number): Positions {
  const [now, begin] = [new Int32Array(count + 1), new Int32Array(count + 1)];
  let since = 0;
  for (const [at, row] of rows.entries()) {
    if (row < 0) continue;
    now[row] = at;
    begin[row] = since;
    since = at + 1;
  }
  begin[count] = since;
  return {now, begin};
}

function emptySyntax({text, grammar, broken}: Syntax, count: number): Syntax {
  return {
    text,
    grammar,
    count,
    type: new Uint16Array(count),
    field: new Uint8Array(count),
    start: new Int32Array(count),
    end: new Int32Array(count),
    parent: new Int32Array(count),
    after: new Int32Array(count),
    broken,
  };
}
