import type {Syntax} from './syntax.ts';

/** The rows of a text while they are written. */
export type Columns = Pick<Syntax, 'count' | 'type' | 'field' | 'start' | 'end' | 'parent' | 'after'>;

const KEYS = ['start', 'end', 'parent', 'after', 'type', 'field'] as const;

/** Room for so many rows, in one buffer. */
export function roomFor(size: number): Columns {
  const buffer = new ArrayBuffer(size * BYTES_PER_ROW);
  const numbers = (column: number): Int32Array => new Int32Array(buffer, column * size * 4, size);
  return {
    count: 0,
    start: numbers(0),
    end: numbers(1),
    parent: numbers(2),
    after: numbers(3),
    type: new Uint16Array(buffer, 16 * size, size),
    field: new Uint8Array(buffer, 18 * size, size),
  };
}

/** Four numbers of 32 bits, one of 16, one of 8. */
const BYTES_PER_ROW = 19;

/** The same rows, with room for as many more. */
export function larger(old: Columns): Columns {
  const next = roomFor(old.type.length * 2);
  for (const key of KEYS) next[key].set(old[key]);
  return next;
}

/** A copy of the rows that are written. */
export function rowsOf(full: Columns, count: number): Columns {
  const rows = {...roomFor(count), count};
  for (const key of KEYS) rows[key].set(full[key].subarray(0, count));
  return rows;
}
