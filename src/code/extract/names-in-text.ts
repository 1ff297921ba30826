import {tableFor} from '../languages/all.ts';
import type {Range} from '../symbol.ts';
import {HANDLED, type Draft} from './draft.ts';
import {gather} from './gather.ts';
import {parseText} from './parse-text.ts';
import type {NameText} from './places.ts';
import {afterOf, parentOf, textOf, typeOf} from './syntax.ts';
import {linesOf} from './text-words.ts';
import {usesOf} from './uses.ts';
import {wordUses} from './word-uses.ts';

/** A place where a name is written, of which the facts of a file say nothing or not all. */
export interface WrittenName {
  /** `shorthand`: it names a member and a variable at once; `loose`: the key of an object, the label of an argument. */
  readonly is: 'shorthand' | 'loose';
  readonly range: Range;
}

/**
 * Where a text writes this name as a word of code that is neither declared nor used there for itself, by position: what a change of the name
 * has to know besides the facts. Comments and strings are left out. Empty for a text that is too long. Errors: as `factsOf`.
 */
export async function namesInText({language, text, signal}: NameText, name: string): Promise<readonly WrittenName[]> {
  signal.throwIfAborted();
  const table = tableFor(language, text);
  const syntax = await parseText(table, text, signal);
  if (syntax === undefined) return [];
  const draft = gather(syntax, table);
  const [known, lines] = [knownNodes(draft), linesOf(text)];
  const found: WrittenName[] = [];
  for (let node = 0; node < syntax.count; node++) {
    if (afterOf(syntax, node) !== node + 1 || textOf(syntax, node) !== name) continue;
    const range = lines.range(syntax.start[node] ?? 0, syntax.end[node] ?? 0);
    if (isShorthand(draft, node)) found.push({is: 'shorthand', range});
    else if (!known.has(node) && !NO_CODE.test(typeOf(syntax, node))) found.push({is: 'loose', range});
  }
  return found;
}

function isShorthand({syntax}: Draft, node: number): boolean {
  const parent = parentOf(syntax, node);
  return typeOf(syntax, node).startsWith('shorthand_') || (parent >= 0 && typeOf(syntax, parent).startsWith('shorthand_'));
}

/** What is declared, imported, exported or used. */
function knownNodes(draft: Draft): ReadonlySet<number> {
  const known = new Set<number>();
  for (const [node, mark] of draft.marks.entries()) if (mark !== 0 && !isKey(draft, node)) known.add(node);
  for (const {nameNode} of draft.symbols) known.add(nameNode);
  for (const {node, localNode} of draft.imports) known.add(node).add(localNode ?? node);
  for (const {node} of draft.exports) known.add(node);
  for (const {node} of usesOf(draft)) known.add(node);
  for (const {node} of wordUses(draft)) known.add(node);
  return known;
}

/** A member of an object or a type that has no name of its own. */
function isKey({syntax, marks}: Draft, node: number): boolean {
  return marks[node] === HANDLED && typeOf(syntax, node) === 'property_identifier';
}

/** Leaves that are text to the language. */
const NO_CODE = /comment|string|char|content|fragment|text|regex|heredoc|docstring/;
