import {KEY, LINKED, PATTERN_KEY, SHORT_KEY} from '../file-facts.ts';
import type {ExportFact, FileFacts, ImportFact, SymbolFact, UseFact} from '../file-facts.ts';
import type {Range} from '../symbol.ts';
import {declaresItself} from './declares-itself.ts';
import {docLinks, type DocLink} from './doc-links.ts';
import {wordUses, type WordUse} from './word-uses.ts';
import type {Binding, Draft, DraftSymbol} from './draft.ts';
import {gather} from './gather.ts';
import {parseText} from './parse-text.ts';
import {quietSymbols} from '../quiet-name.ts';
import {tagWords} from './narrow.ts';
import {afterOf, typeOf} from './syntax.ts';
import type {Syntax} from './syntax.ts';
import {docOf, linesOf, signatureOf, unmarked} from './text-words.ts';
import type {Lines} from './text-words.ts';
import {typeWords, type TypeWords} from './type-words.ts';
import {ownMember, receiverOf, usesOf} from './uses.ts';
import type {Use} from './uses.ts';
import {tableFor} from '../languages/all.ts';

/**
 * What one file says. Never fails because of the text: what is too long, takes too long, or cannot be understood gives the facts that there
 * are, with `broken`. Errors: BAD_ARGS for a language that has no table, UNAVAILABLE for a grammar that is not there, CANCELLED.
 */
export async function factsOf(language: string, text: string, signal: AbortSignal): Promise<FileFacts> {
  signal.throwIfAborted();
  const table = tableFor(language, text);
  const syntax = await parseText(table, text, signal);
  if (syntax === undefined) return {language, symbols: [], imports: [], exports: [], uses: [], broken: true};
  return factsOfDraft(gather(syntax, table));
}

function factsOfDraft(draft: Draft): FileFacts {
  const {syntax, language} = draft;
  const lines = linesOf(syntax.text);
  const order = orderOf(draft.symbols, syntax);
  const comments = commentsOf(draft);
  const uses = useFacts(draft, {lines, order, comments});
  const range = (node: number): Range => lines.range(syntax.start[node] ?? 0, syntax.end[node] ?? 0);
  return {
    language: language.name,
    symbols: symbolFacts(draft, {lines, order, comments}),
    imports: draft.imports.map(({node, localNode, ...fact}): ImportFact => ({
      ...fact,
      range: range(node),
      ...(localNode === undefined || localNode === node ? {} : {localRange: range(localNode)}),
    })),
    exports: draft.exports.map(({node, aliasNode, ...fact}): ExportFact => ({
      ...fact,
      range: fact.original === 'default' && fact.module === undefined ? defaultRange(syntax, lines, node) : range(node),
      ...(aliasNode === undefined ? {} : {aliasRange: range(aliasNode)}),
    })),
    uses,
    broken: syntax.broken,
  };
}

/** What is exported without a name is named by the word `default`; behind `export =` by nothing. */
function defaultRange(syntax: Syntax, lines: Lines, node: number): Range {
  const start = syntax.start[node] ?? 0;
  const head = /^export\s+(?=default\b)/u.exec(syntax.text.slice(start, start + 100))?.[0].length;
  return head === undefined ? lines.range(start, start) : lines.range(start + head, start + head + 'default'.length);
}

/** The symbols were found as the walk met them; facts have them by position, a parent before what is in it. */
interface Order {
  /** New number to old. */
  readonly old: readonly number[];
  /** Old number to new; -1 stays. */
  readonly now: (symbol: number) => number;
}

function orderOf(symbols: readonly DraftSymbol[], syntax: Syntax): Order {
  const old = symbols.map((_, index) => index);
  const start = (index: number): number => syntax.start[symbols[index]?.outer ?? 0] ?? 0;
  const end = (index: number): number => syntax.end[symbols[index]?.outer ?? 0] ?? 0;
  old.sort((a, b) => start(a) - start(b) || end(b) - end(a) || a - b);
  const now = new Int32Array(symbols.length);
  for (const [index, symbol] of old.entries()) now[symbol] = index;
  return {old, now: (symbol) => (symbol < 0 ? -1 : (now[symbol] ?? -1))};
}

interface Given {
  readonly lines: Lines;
  readonly order: Order;
  /** The nodes of comments and decorations. */
  readonly comments: readonly number[];
}

function symbolFacts(draft: Draft, {lines, order: {old, now}, comments}: Given): SymbolFact[] {
  const {syntax, language} = draft;
  const words = typeWords(draft);
  const facts: SymbolFact[] = [];
  for (const index of old) {
    const symbol = draft.symbols[index];
    if (symbol === undefined) continue;
    const inside = language.docInside?.(syntax, symbol.node) ?? -1;
    const doc = inside < 0 ? docOf(draft, symbol, comments) : unmarked(syntax.text.slice(syntax.start[inside], syntax.end[inside]));
    facts.push({
      name: symbol.name,
      kind: symbol.kind,
      parent: now(symbol.parent),
      owner: symbol.owner,
      range: lines.range(syntax.start[symbol.outer] ?? 0, endOf(syntax, symbol.outer)),
      nameRange: nameRange(draft, lines, symbol),
      signature: signatureOf(draft, symbol),
      doc: doc === '' ? undefined : doc,
      exported: symbol.exported,
      typeName: typeNameOf(draft, words, symbol),
    });
  }
  return facts;
}

/** Of a function with its parameters, where the language tells what its callers must hand in. */
function typeNameOf({language, syntax}: Draft, words: TypeWords, symbol: DraftSymbol): string | undefined {
  const {kind, node, source} = symbol;
  const isFunction = kind === 'function' || kind === 'method';
  if (language.contexts !== undefined && !isFunction) return toldType(syntax, words, symbol);
  const type = (isFunction && language.contexts !== undefined ? words.ofFunction(node) : undefined) ?? words.ofSource(source);
  return type !== undefined && isFunction && language.isGetter?.(syntax, node) === true ? `get ${type}` : type;
}

/** With the type parameters of a type, and the one text that a property may be. */
function toldType(syntax: Syntax, words: TypeWords, {kind, node, source}: DraftSymbol): string | undefined {
  const type = words.ofSource(source);
  if (kind === 'property') return type ?? tagWords(syntax, source.type);
  const head = HEADED.has(kind) ? words.ofHead(node) : '';
  return head === '' ? type : head + (type ?? '');
}

const HEADED: ReadonlySet<string> = new Set(['class', 'interface', 'type']);

/** The name itself, without quotes, and where the grammar has no node for it (`init`). Empty where it is not written. */
function nameRange({syntax}: Draft, lines: Lines, {name, nameNode, node}: DraftSymbol): Range {
  const [start, end] = [syntax.start[nameNode] ?? 0, syntax.end[nameNode] ?? 0];
  const at = syntax.text.slice(start, Math.min(end, start + 400)).indexOf(name);
  if (at >= 0) return lines.range(start + at, start + at + name.length);
  return lines.range(start, nameNode === node ? start : end);
}

/** Some grammars count the line break to the node. */
function endOf(syntax: Syntax, node: number): number {
  let end = syntax.end[node] ?? 0;
  while (end > (syntax.start[node] ?? 0) && ' \t\r\n'.includes(syntax.text[end - 1] ?? '')) end--;
  return end;
}

function commentsOf({syntax, language}: Draft): number[] {
  const wanted = syntax.grammar.types.map((type) => language.comments.includes(type) || language.decorations?.includes(type) === true);
  const comments: number[] = [];
  for (let node = 0; node < syntax.count; node++) if (wanted[syntax.type[node] ?? 0] === true) comments.push(node);
  return comments;
}

function useFacts(draft: Draft, {lines, order: {now}, comments}: Given): UseFact[] {
  const {syntax, language} = draft;
  const words = typeWords(draft);
  const members = membersOf(draft.symbols);
  const around = loud(draft, innermost(draft));
  const facts: UseFact[] = [];
  const links: readonly Word[] = language.unparsed === undefined ? docLinks(draft, comments).map(asWord) : wordUses(draft);
  let linked = 0;
  const linkUntil = (node: number): void => {
    for (let link = links[linked]; link !== undefined && link.node < node; link = links[++linked])
      facts.push(wordFact(link, {lines, within: now(around(link.node)), target: now(link.binding?.symbol ?? -1)}));
  };
  for (const use of usesOf(draft, true)) {
    linkUntil(use.node);
    if (isLocal(use.binding)) continue;
    const isKey = use.keyOf !== undefined || use.index !== undefined;
    const meant = isKey ? {receiver: keyReceiver(draft, use), receiverType: keyType(draft, words, use)} : receiverOf(draft, words, use);
    if (isKey && meant.receiverType === undefined) continue;
    const target = use.binding?.symbol ?? ownMember(draft, use, members);
    facts.push({
      kind: use.kind,
      name: use.name,
      range: lines.range(syntax.start[use.node] ?? 0, syntax.end[use.node] ?? 0),
      within: now(around(use.node)),
      target: now(target),
      receiver: meant.receiver,
      receiverType: meant.receiverType,
    });
  }
  linkUntil(syntax.count);
  return facts;
}

/** With what it is a member of, where that is known. */
interface Word extends WordUse, Partial<Pick<UseFact, 'receiver' | 'receiverType'>> {}

function asWord({comment, ...link}: DocLink): Word {
  return {node: comment, kind: 'reference', ...link, isMember: false, receiverType: link.receiver === undefined ? LINKED : undefined};
}

function wordFact(
  {kind, name, start, isMember, receiver, receiverType}: Word,
  {lines, ...known}: {readonly lines: Lines; readonly within: number; readonly target: number},
): UseFact {
  return {
    kind,
    name,
    range: lines.range(start, start + name.length),
    ...known,
    receiver: isMember ? '?' : receiver,
    receiverType,
  };
}

function keyReceiver({syntax}: Draft, {keyOf = -1, node, index}: Use): string {
  if (index !== undefined) return PATTERN_KEY;
  if (typeOf(syntax, node) === 'shorthand_property_identifier') return SHORT_KEY;
  return typeOf(syntax, keyOf) === 'object_pattern' ? PATTERN_KEY : KEY;
}

/** Of a symbol that has a type nobody knows `?`: it may be declared by that type. */
function keyType(draft: Draft, words: TypeWords, {keyOf = -1, node, index, of, scope}: Use): string | undefined {
  if (index !== undefined) return index === 'type' ? words.ofType(of, scope) : words.ofExpression(of, scope);
  const known = words.ofObject(keyOf);
  if (known !== undefined) return known;
  const isSymbol = (draft.bindings[(draft.marks[node] ?? 0) - 1]?.symbol ?? -1) >= 0;
  return isSymbol && !declaresItself(draft, keyOf, undefined) ? '?' : undefined;
}

function isLocal(binding: Use['binding'] | Binding): boolean {
  return binding !== undefined && binding.symbol < 0 && binding.import < 0;
}

/** By the number of the class and the name. */
export function membersOf(symbols: readonly DraftSymbol[]): ReadonlyMap<string, number> {
  const members = new Map<string, number>();
  for (const [index, {name, parent}] of symbols.entries()) {
    const key = `${parent} ${name}`;
    if (parent >= 0 && !members.has(key)) members.set(key, index);
  }
  return members;
}

/** What stands in a type without a name is used by what that is in. */
function loud({symbols}: Draft, innermostOf: (node: number) => number): (node: number) => number {
  const quiet = quietSymbols({names: symbols.map(({name}) => name), parents: symbols.map(({parent}) => parent)});
  return (node) => {
    let at = innermostOf(node);
    while (at >= 0 && quiet[at] === 1) at = symbols[at]?.parent ?? -1;
    return at;
  };
}

/** The innermost symbol around a node; to be asked in the order of the text. */
function innermost({syntax, symbols}: Draft): (node: number) => number {
  const byNode = symbols.map((_, index) => index).sort((a, b) => (symbols[a]?.outer ?? 0) - (symbols[b]?.outer ?? 0) || a - b);
  const open: number[] = [];
  let next = 0;
  return (node) => {
    for (; (symbols[byNode[next] ?? -1]?.outer ?? Infinity) <= node; next++) open.push(byNode[next] ?? -1);
    while (open.length > 0 && afterOf(syntax, symbols[open.at(-1) ?? -1]?.outer ?? 0) <= node) open.pop();
    return open.at(-1) ?? -1;
  };
}
