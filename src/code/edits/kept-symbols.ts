import {FettleError} from '../../base/errors.ts';
import type {CodeGraph} from '../code-graph.ts';
import type {FileFacts} from '../file-facts.ts';
import type {CodeSymbol} from '../symbol.ts';
import {partedOverloads} from './parted-overloads.ts';

export interface KeptRequest {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The symbol whose own members may change. */
  readonly mayGo?: CodeSymbol | undefined;
  /** A name that must be declared afterwards. */
  readonly mustStay?: string | undefined;
}

/** Throws BAD_ARGS where the new text does not parse though the old one did, lacks a symbol that it should not touch, or parts overloads. */
export async function keptSymbols(
  {path, before, after, mayGo, mustStay}: KeptRequest,
  graph: Pick<CodeGraph, 'factsOf'>,
  signal: AbortSignal,
): Promise<void> {
  const [was, would] = [await graph.factsOf(path, before, signal), await graph.factsOf(path, after, signal)];
  if (was === undefined || would === undefined) return;
  if (would.broken && !was.broken) throw wrong(`${path} would not parse any more`, 'Give the whole declaration, and nothing besides.');
  const names = new Set(namesOf(would));
  const own = mayGo?.qualifiedName;
  const lost = namesOf(was).filter((name) => !names.has(name) && !(own !== undefined && (name === own || name.startsWith(`${own}.`))));
  if (lost.length > 0) throw wrong(`${lost.slice(0, MOST_SHOWN).join(', ')} would be lost`, 'Change that symbol by itself.');
  const parted = mayGo === undefined ? partedOverloads(was, would) : undefined;
  if (parted !== undefined) throw wrong(`the overloads of ${parted} would be parted`, 'Choose a place before or behind all of them.');
  if (mustStay !== undefined && !would.symbols.some(({name}) => name === mustStay)) {
    throw wrong(`the text does not declare ${mustStay}`, 'Give its whole declaration; to give it another name, rename it.');
  }
}

const MOST_SHOWN = 5;

function namesOf({symbols}: FileFacts): readonly string[] {
  const names: string[] = [];
  for (const {name, parent} of symbols) names.push(parent < 0 ? name : `${names[parent]}.${name}`);
  return names;
}

function wrong(problem: string, hint: string): FettleError {
  return new FettleError({code: 'BAD_ARGS', message: `Not done: ${problem}.`, hint});
}
