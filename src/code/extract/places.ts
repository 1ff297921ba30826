import type {Position, Range, SymbolKind} from '../symbol.ts';
import {languageNamed} from '../languages/all.ts';
import {declaresItself} from './declares-itself.ts';
import {HANDLED, type Binding, type Draft} from './draft.ts';
import {membersOf} from './facts.ts';
import {gather} from './gather.ts';
import {literalKey, literalMember} from './literal-member.ts';
import {qualified} from './lookup.ts';
import {parseText} from './parse-text.ts';
import {ancestorOf, childIn, fieldOf, nodeAt, parentOf, textOf, typeOf} from './syntax.ts';
import {linesOf} from './text-words.ts';
import type {Lines} from './text-words.ts';
import {typeWords} from './type-words.ts';
import {ownMember, receiverOf, usesOf} from './uses.ts';
import type {Use} from './uses.ts';

/** What a name at a place of a text means, as far as the text alone tells. */
export type NameMeaning =
  /** A name of a function or block: where it is declared. */
  | {readonly is: 'local'; readonly name: string; readonly declaration: Range}
  /** A symbol of the file; `qualifiedName` as in `CodeSymbol`. */
  | {readonly is: 'symbol'; readonly name: string; readonly qualifiedName: string; readonly kind: SymbolKind; readonly declaration: Range}
  /** What an import brings; `local` is its name here. */
  | {readonly is: 'import'; readonly local: string; readonly original: string; readonly module: string}
  /** A member of something, or a name that is not declared here: `receiver` and `receiverType` as in `UseFact`. */
  | {readonly is: 'use'; readonly name: string; readonly receiver?: string; readonly receiverType?: string};

/** The text of a file in its language, and who may stop the work. */
export interface NameText {
  readonly language: string;
  readonly text: string;
  readonly signal: AbortSignal;
}

/**
 * What the name at this position means; undefined where no name stands, and for a text that is too long. Errors: as `factsOf`.
 */
export async function meaningInFile(given: NameText, position: Position): Promise<NameMeaning | undefined> {
  const place = await placeOf(given, position);
  if (place === undefined) return undefined;
  const {draft, node, lines} = place;
  const mark = draft.marks[node] ?? 0;
  const member = typeOf(draft.syntax, node) === SHORTHAND ? literalKey(draft, node) : -1;
  if (member >= 0) return {is: 'local', name: textOf(draft.syntax, node), declaration: rangeOf(draft, lines, member)};
  const declared = mark > 0 ? draft.bindings[mark - 1] : undefined;
  if (declared !== undefined && typeOf(draft.syntax, node) !== SHORTHAND) return ofBinding(draft, lines, declared);
  for (const use of usesOf(draft)) if (use.node === node) return ofUse(draft, lines, use);
  return unnamed(draft, node, lines);
}

/** `{a}` that takes the member `a` out of what it is matched with: that is declared by its type. */
export const SHORTHAND = 'shorthand_property_identifier_pattern';

/** A parsed text, and the node of the name at a position of it. */
export interface Place {
  readonly draft: Draft;
  readonly node: number;
  readonly lines: Lines;
}

/** Undefined where no name stands, and for a text that is too long. Errors: as `factsOf`. */
export async function placeOf({language, text, signal}: NameText, position: Position): Promise<Place | undefined> {
  signal.throwIfAborted();
  const table = languageNamed(language);
  const syntax = await parseText(table, text, signal);
  if (syntax === undefined) return undefined;
  const lines = linesOf(text);
  const offset = lines.offset(position);
  // A cursor behind the last letter of a name still means it.
  const at = /[\p{L}\p{N}_$]/u.test(text[offset] ?? '') ? offset : offset - 1;
  const inner = nodeAt(syntax, at);
  // `$name`: the whole is the name.
  const node = typeOf(syntax, parentOf(syntax, inner)) === 'variable_name' ? parentOf(syntax, inner) : inner;
  return node < 0 ? undefined : {draft: gather(syntax, table), node, lines};
}

/** A member of a literal that has no name of its own, a label, `this` as a parameter: each is declared where it stands, or in this text. */
function unnamed(draft: Draft, node: number, lines: Lines): NameMeaning | undefined {
  const {syntax} = draft;
  const type = typeOf(syntax, node);
  const name = textOf(syntax, node);
  const declared = memberDeclared(draft, node);
  if (declared >= 0) return {is: 'local', name, declaration: rangeOf(draft, lines, declared)};
  if (type !== 'statement_identifier') return undefined;
  for (let at = ancestorOf(syntax, node, 'labeled_statement'); at >= 0; at = ancestorOf(syntax, at, 'labeled_statement')) {
    const label = childIn(syntax, at, 'label');
    if (textOf(syntax, label) === name) return {is: 'local', name, declaration: rangeOf(draft, lines, label)};
  }
  return undefined;
}

/** The node that declares the member which a node names, where this text says so and no symbol has it; -1 where it does not. */
export function memberDeclared(draft: Draft, node: number): number {
  const {syntax} = draft;
  const type = typeOf(syntax, node);
  if (type === 'this') return fieldOf(syntax, node) === 'pattern' ? node : -1;
  const isMember = MEMBERS.has(type) && (draft.marks[node] === HANDLED || fieldOf(syntax, node) === 'key');
  return isMember ? keyPlace(draft, node) : -1;
}

/** The key of an object whose type is not known may be declared there: -1. That of a class or a type stands for itself. */
function keyPlace(draft: Draft, node: number): number {
  const {syntax} = draft;
  const declared = literalKey(draft, node);
  if (declared >= 0) return declared;
  const parent = parentOf(syntax, node);
  const object = typeOf(syntax, parent) === 'object' ? parent : parentOf(syntax, parent);
  if (typeOf(syntax, object) !== 'object' && typeOf(syntax, object) !== 'object_pattern') return node;
  return declaresItself(draft, object, typeWords(draft).ofObject(object)) ? node : -1;
}

const MEMBERS: ReadonlySet<string> = new Set(['property_identifier', 'field_identifier']);

function ofUse(draft: Draft, lines: Lines, use: Use): NameMeaning {
  if (use.binding !== undefined) return ofBinding(draft, lines, use.binding);
  const member = draft.symbols[ownMember(draft, use, membersOf(draft.symbols))];
  const binding = member === undefined ? undefined : draft.bindings.find((known) => draft.symbols[known.symbol] === member);
  if (binding !== undefined) return ofBinding(draft, lines, binding);
  const literal = use.of < 0 ? -1 : literalMember(draft, use.of, use.name);
  if (literal >= 0) return {is: 'local', name: use.name, declaration: rangeOf(draft, lines, literal)};
  return {is: 'use', name: use.name, ...receiverOf(draft, typeWords(draft), use)};
}

function ofBinding(draft: Draft, lines: Lines, binding: Binding): NameMeaning {
  const declaration = rangeOf(draft, lines, binding.node);
  const taken = draft.imports[binding.import];
  if (taken !== undefined) return {is: 'import', local: binding.name, original: taken.original, module: taken.module};
  const symbol = draft.symbols[binding.symbol];
  if (symbol === undefined) return {is: 'local', name: binding.name, declaration};
  return {is: 'symbol', name: binding.name, qualifiedName: qualified(draft, binding.symbol), kind: symbol.kind, declaration};
}

export function rangeOf({syntax}: Draft, lines: Lines, node: number): Range {
  return lines.range(syntax.start[node] ?? 0, syntax.end[node] ?? 0);
}
