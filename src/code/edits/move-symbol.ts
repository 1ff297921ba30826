import {FettleError} from '../../base/errors.ts';
import type {CodeSymbol} from '../symbol.ts';
import {declarationLines} from './declaration-lines.ts';
import type {EditPlan, EditSources} from './edit-plan.ts';
import {insertedBeside, type Insertion} from './insert-symbol.ts';
import {keptSymbols} from './kept-symbols.ts';

export type Move = Omit<Insertion, 'text'> & {readonly symbol: CodeSymbol};

/**
 * A declaration, with its comments, to another place of its file. Throws BAD_ARGS for another file, for a place in itself, and where a
 * line is shared.
 */
export async function moveSymbol({symbol, beside, where}: Move, {graph, read}: EditSources, signal: AbortSignal): Promise<EditPlan> {
  const {path} = symbol;
  if (beside.path !== path) throw wrong('Symbols are moved inside their file only', 'Insert it there, and change its users.');
  if (beside.parentId !== symbol.parentId)
    throw wrong('It would belong to something else there', 'Move it beside a symbol of the same kind of place.');
  if (beside.id === symbol.id) throw wrong('It stands there already', 'Name another symbol.');
  const before = await read(path, signal);
  const lines = before.split('\n');
  const own = declarationLines(lines, symbol);
  if (own === undefined) throw wrong(`${symbol.name} shares its line with something else`, 'Move it by text edits.');
  const text = lines.slice(own.start, own.end).join('\n').trimEnd();
  const inserted = insertedBeside(before, {beside, where, text});
  const shift = beside.range.start.line < own.start ? inserted.split('\n').length - lines.length : 0;
  const after = withoutLines(inserted, {start: own.start + shift, end: own.end + shift});
  await keptSymbols({path, before, after}, graph, signal);
  return {files: [{path, before, after}], provedBy: 'index'};
}

/** Of the blank lines above and below, which now meet, the wider gap stays; none where something begins or ends. */
function withoutLines(text: string, {start, end}: {readonly start: number; readonly end: number}): string {
  const lines = text.split('\n');
  const isBlank = (line: number): boolean => lines[line] !== undefined && (lines[line] ?? '').trim() === '';
  let [first, last] = [start, end];
  while (isBlank(first - 1)) first -= 1;
  while (isBlank(last) && last < lines.length - 1) last += 1;
  const isEdge = first === 0 || BEGINS.test(lines[first - 1] ?? '') || ENDS.test(lines[last] ?? '');
  const gap = isEdge ? 0 : Math.max(start - first, last - end);
  const isAtEnd = last >= lines.length - 1 && (lines[last] ?? '').trim() === '';
  const blanks = start - first >= gap ? lines.slice(first, first + gap) : lines.slice(end, end + gap);
  return [...lines.slice(0, first), ...(isAtEnd ? [] : blanks), ...lines.slice(last)].join('\n');
}

/** A line that opens what is in it, or closes it. */
const BEGINS = /[{([:]\s*$/;
const ENDS = /^\s*(?:[})\]]|end\b)/;

function wrong(problem: string, hint: string): FettleError {
  return new FettleError({code: 'BAD_ARGS', message: `Not moved: ${problem}.`, hint});
}
