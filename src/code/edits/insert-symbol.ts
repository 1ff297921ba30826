import {FettleError} from '../../base/errors.ts';
import type {CodeSymbol} from '../symbol.ts';
import {inCommaList} from './comma-list.ts';
import {declarationLines, type Lines} from './declaration-lines.ts';
import type {EditPlan, EditSources} from './edit-plan.ts';
import {checkPlaces} from './fixed-place.ts';
import {indentAs} from './indent-as.ts';
import {keptSymbols} from './kept-symbols.ts';
import {applyRangeEdits} from './range-edits.ts';

export interface Insertion {
  /** Beside this one, at its indentation. */
  readonly beside: CodeSymbol;
  readonly where: 'before' | 'after';
  readonly text: string;
}

/** A declaration before or after another, with its comments. Throws BAD_ARGS as `keptSymbols` and `checkPlaces` do, and where the line is shared. */
export async function insertSymbol({beside, where, text}: Insertion, {graph, read, signal}: EditSources): Promise<EditPlan> {
  const {path} = beside;
  const before = await read(path);
  await checkPlaces([beside], before, {graph, signal});
  const change = (list: string): string => insertedBeside(list, {beside, where, text: `${text.trim().replace(/,$/, '')},`});
  const after = (await inCommaList({before, member: beside, change}, graph, signal)) ?? insertedBeside(before, {beside, where, text});
  await keptSymbols({path, before, after}, graph, signal);
  return {files: [{path, before, after}], provedBy: 'index'};
}

/** The text with another declaration in it; a blank line between them, unless both have one line and none was there. */
export function insertedBeside(before: string, {beside, where, text}: Insertion): string {
  const lines = before.split('\n');
  const own = declarationLines(lines, beside);
  if (own === undefined) {
    const hint = 'Insert it by a text edit.';
    throw new FettleError({code: 'BAD_ARGS', message: `${beside.name} shares its line with something else.`, hint});
  }
  const indent = /^\s*/.exec(lines[beside.range.start.line] ?? '')?.[0] ?? '';
  const block = indent + indentAs(text.trim(), indent);
  const gap = '\n'.repeat(isApart(lines, own, block) ? Math.max(1, Math.min(MOST_BLANK, blanksAbove(lines, own))) : 0);
  const at = where === 'before' ? own.start : own.end;
  const isPastEnd = at >= lines.length;
  const place = isPastEnd ? {line: lines.length - 1, character: (lines.at(-1) ?? '').length} : {line: at, character: 0};
  const newText = where === 'before' ? `${block}\n${gap}` : isPastEnd ? `\n${gap}${block}` : `${gap}${block}\n`;
  return applyRangeEdits(before, [{range: {start: place, end: place}, newText}]);
}

function isApart(lines: readonly string[], {start, end}: Lines, block: string): boolean {
  const isBlank = (line: string | undefined): boolean => line !== undefined && line.trim() === '';
  return block.includes('\n') || end - start > 1 || isBlank(lines[start - 1]) || (isBlank(lines[end]) && end < lines.length - 1);
}

/** As many as the file has between its declarations: Python asks for two. */
function blanksAbove(lines: readonly string[], {start}: Lines): number {
  let first = start;
  while (first > 0 && (lines[first - 1] ?? '').trim() === '') first -= 1;
  return first === 0 ? 0 : start - first;
}

const MOST_BLANK = 2;
