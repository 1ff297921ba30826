import {FettleError} from '../../base/errors.ts';
import type {CodeSymbol} from '../symbol.ts';
import {inCommaList} from './comma-list.ts';
import {declarationLines, type Lines} from './declaration-lines.ts';
import {usedTooEarly} from './declared-order.ts';
import type {EditPlan, EditSources} from './edit-plan.ts';
import {checkPlaces} from './fixed-place.ts';
import {insertedBeside, type Insertion} from './insert-symbol.ts';
import {keptSymbols} from './kept-symbols.ts';

export type Move = Omit<Insertion, 'text'> & {readonly symbol: CodeSymbol};

/**
 * A declaration, with its comments, to another place of its file. Throws BAD_ARGS for a place in itself, where a line is shared, where something
 * would be used before it is declared, and as `checkPlaces` does.
 */
export async function moveSymbol({symbol, beside, where}: Move, {graph, read, signal}: EditSources): Promise<EditPlan> {
  const {path} = symbol;
  if (beside.parentId !== symbol.parentId)
    throw wrong('It would belong to something else there', 'Move it beside a symbol of the same kind of place.');
  if (beside.id === symbol.id) throw wrong('It stands there already', 'Name another symbol.');
  const before = await read(path);
  await checkPlaces([symbol, beside], before, {graph, signal});
  const lines = before.split('\n');
  const own = declarationLines(lines, symbol);
  if (own === undefined) throw wrong(`${symbol.name} shares its line with something else`, 'Move it by text edits.');
  const change = (text: string): string => moved(text, own, {beside, where});
  const after = (await inCommaList({before, member: symbol, change}, graph, signal)) ?? change(before);
  await keptSymbols({path, before, after}, graph, signal);
  const [was, would] = [await graph.factsOf(path, before, signal), await graph.factsOf(path, after, signal)];
  const early = was === undefined || would === undefined ? undefined : usedTooEarly(was, would);
  if (early !== undefined) throw wrong(`${early} would be used before it is declared`, 'Move it to the other side of what uses it.');
  return {files: [{path, before, after}], provedBy: 'index'};
}

function moved(before: string, own: Lines, {beside, where}: Omit<Insertion, 'text'>): string {
  const lines = before.split('\n');
  const text = lines.slice(own.start, own.end).join('\n').trimEnd();
  const inserted = insertedBeside(before, {beside, where, text});
  const shift = beside.range.start.line < own.start ? inserted.split('\n').length - lines.length : 0;
  return withoutLines(inserted, {start: own.start + shift, end: own.end + shift});
}

/** Of the blank lines above and below, which now meet, the wider gap stays; none where something begins or ends. */
export function withoutLines(text: string, {start, end}: Lines): string {
  const lines = text.split('\n');
  const [first, last] = [start - blanksBefore(lines, start), end + blanksFrom(lines, end)];
  const isEdge = first === 0 || last >= lines.length - 1 || BEGINS.test(lines[first - 1] ?? '') || ENDS.test(lines[last] ?? '');
  const gap = isEdge ? [] : start - first >= last - end ? lines.slice(first, start) : lines.slice(end, last);
  const left = [...lines.slice(0, first), ...gap, ...lines.slice(last)].join('\n');
  return last < lines.length ? left : left.replace(/\r$/, '');
}

function blanksBefore(lines: readonly string[], line: number): number {
  return line - 1 - lines.slice(0, line).findLastIndex((text) => text.trim() !== '');
}

/** The last line is empty where a text ends in a line break. */
function blanksFrom(lines: readonly string[], line: number): number {
  const next = lines.slice(line).findIndex((text) => text.trim() !== '');
  return next < 0 ? Math.max(0, lines.length - 1 - line) : next;
}

/** A line that opens what is in it, or closes it. */
const BEGINS = /[{([:]\s*$/;
const ENDS = /^\s*(?:[})\]]|end\b)/;

function wrong(problem: string, hint: string): FettleError {
  return new FettleError({code: 'BAD_ARGS', message: `Not moved: ${problem}.`, hint});
}
