import {findAll} from './find-all.ts';
import type {BlockSplit} from './parse-blocks.ts';

export interface ShiftedBlock {
  /** 1-based. */
  readonly firstLine: number;
  /** The lines of the file there. */
  readonly found: readonly string[];
  /** The REPLACE half with their indentation. */
  readonly lines: readonly string[];
}

/**
 * The block with the indentation of the file, if its SEARCH half occurs exactly once when all its lines are indented more, or less, by the same
 * blanks. undefined otherwise.
 */
export function shiftBlock(plain: string, {search, replace}: BlockSplit): ShiftedBlock | undefined {
  const lines = plain.split('\n');
  const bare = `\n${lines.map((line) => line.trimStart()).join('\n')}\n`;
  const [at, another] = findAll(bare, `\n${search.map((line) => line.trimStart()).join('\n')}\n`);
  if (at === undefined || another !== undefined) return undefined;
  const first = bare.slice(0, at + 1).split('\n').length - 2;
  const found = lines.slice(first, first + search.length);
  const shift = shiftBetween(search, found);
  const moved = shift === undefined ? [undefined] : replace.map(shift);
  const fitting = moved.filter((line) => line !== undefined);
  return fitting.length === moved.length ? {firstLine: first + 1, found, lines: fitting} : undefined;
}

/** Returns the change that every line needs; undefined if it is not the same for all. */
function shiftBetween(search: readonly string[], found: readonly string[]): ((line: string) => string | undefined) | undefined {
  const row = search.findIndex((line) => line.trim() !== '');
  const [asked, there] = [indentOf(search[row]), indentOf(found[row])];
  const deeper = there.endsWith(asked) ? there.slice(0, there.length - asked.length) : undefined;
  const shallower = asked.endsWith(there) ? asked.slice(0, asked.length - there.length) : undefined;
  const shift = (line: string): string | undefined => {
    if (line.trim() === '') return line;
    if (deeper !== undefined) return deeper + line;
    return shallower !== undefined && line.startsWith(shallower) ? line.slice(shallower.length) : undefined;
  };
  const fits = search.every((line, index) => line.trim() === '' || shift(line) === found[index]);
  return fits ? shift : undefined;
}

function indentOf(line: string | undefined): string {
  return /^[ \t]*/.exec(line ?? '')?.[0] ?? '';
}
