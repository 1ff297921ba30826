import type {CodeGraph} from '../code-graph.ts';
import type {FileFacts, SymbolFact} from '../file-facts.ts';
import type {CodeSymbol, Position} from '../symbol.ts';
import {applyRangeEdits, textOfRange} from './range-edits.ts';

export interface ListChange {
  readonly before: string;
  /** One of its members. */
  readonly member: CodeSymbol;
  /** What is to be done, to a text in which a comma stands behind every member. */
  readonly change: (text: string) => string;
}

/**
 * A change among members that commas part, the last of which has none: it gets one meanwhile, and who is last afterwards has none. undefined
 * where the member is in no such list.
 */
export async function inCommaList(
  {before, member, change}: ListChange,
  graph: Pick<CodeGraph, 'factsOf'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const facts = await graph.factsOf(member.path, before, signal);
  const parent = facts?.symbols.find((one) => isAt(one, member))?.parent ?? -1;
  const last = facts === undefined || parent < 0 ? undefined : bareEnd(before, membersOf(facts, parent));
  if (last === undefined) return undefined;
  const after = change(applyRangeEdits(before, [{range: {start: last.range.end, end: last.range.end}, newText: ','}]));
  const changed = await graph.factsOf(member.path, after, signal);
  const end = changed === undefined ? undefined : membersOf(changed, parent).at(-1);
  if (end === undefined || followedBy(after, end) !== ',') return undefined;
  return applyRangeEdits(after, [{range: {start: end.range.end, end: next(end.range.end)}, newText: ''}]);
}

/** The last of several members, where only it has no comma. */
function bareEnd(text: string, members: readonly SymbolFact[]): SymbolFact | undefined {
  const hasComma = members.map((member) => followedBy(text, member) === ',');
  return members.length > 1 && hasComma.indexOf(false) === members.length - 1 ? members.at(-1) : undefined;
}

function isAt({nameRange: {start}}: SymbolFact, {nameRange}: CodeSymbol): boolean {
  return start.line === nameRange.start.line && start.character === nameRange.start.character;
}

/** By position. */
function membersOf({symbols}: FileFacts, parent: number): readonly SymbolFact[] {
  const members = symbols.filter((symbol) => symbol.parent === parent);
  return members.toSorted(({range: {end: a}}, {range: {end: b}}) => a.line - b.line || a.character - b.character);
}

function followedBy(text: string, {range: {end}}: SymbolFact): string {
  const line = text.split('\n')[end.line] ?? '';
  return end.character < line.length ? textOfRange(text, {start: end, end: next(end)}) : '';
}

function next({line, character}: Position): Position {
  return {line, character: character + 1};
}
