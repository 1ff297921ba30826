import type {Position, Range} from '../symbol.ts';
import {functionAround} from './context.ts';
import type {Binding, Draft} from './draft.ts';
import {literalKey, literalMember} from './literal-member.ts';
import {memberDeclared, placeOf, rangeOf, SHORTHAND, type NameText} from './places.ts';
import {childIn, childrenOf, endOf, parentOf, startOf, textOf, typeOf} from './syntax.ts';
import type {Lines} from './text-words.ts';
import {usesOf, type Use} from './uses.ts';

/**
 * Every place of what the name at this position means in this text alone, its declaration among them, by position: a local name, the name that an
 * import gives to a whole module, a member of a literal or of a type that no symbol has. Empty where it means none of these. Errors: as `factsOf`.
 */
export async function placesOfLocal(given: NameText, position: Position): Promise<readonly Range[]> {
  const place = await placeOf(given, position);
  if (place === undefined) return [];
  const {draft, node, lines} = place;
  const uses = [...usesOf(draft)];
  const binding = bindingAt(draft, uses, node);
  const isLocal = binding !== undefined && binding.symbol < 0 && (binding.import < 0 || isModule(draft, binding));
  const named = isLocal ? [binding.node, ...uses.filter((use) => use.binding === binding).map((use) => use.node)] : [];
  const nodes = [...named, ...memberPlaces(draft, uses, node)];
  const ranges = [...new Set(nodes)].map((at) => rangeOf(draft, lines, at));
  return [...(isLocal ? documented(draft, binding, lines) : []), ...ranges].sort((a, b) => lines.offset(a.start) - lines.offset(b.start));
}

function bindingAt(draft: Draft, uses: readonly Use[], node: number): Binding | undefined {
  const mark = draft.marks[node] ?? 0;
  return (mark > 0 ? draft.bindings[mark - 1] : undefined) ?? uses.find((use) => use.node === node)?.binding;
}

/** What an import gives the whole module as is a name of this file. */
function isModule(draft: Draft, binding: Binding): boolean {
  const original = draft.imports[binding.import]?.original;
  return original === '*' || original === '=';
}

function memberPlaces(draft: Draft, uses: readonly Use[], node: number): readonly number[] {
  const name = textOf(draft.syntax, node);
  const declared = memberAt(draft, uses, node);
  if (declared < 0) return [];
  const used = uses.filter((use) => use.of >= 0 && use.name === name && literalMember(draft, use.of, name) === declared);
  const keys: number[] = [];
  for (let at = 0; at < draft.syntax.count; at++)
    if (KEYS.has(typeOf(draft.syntax, at)) && textOf(draft.syntax, at) === name && keyDeclared(draft, at) === declared) keys.push(at);
  return [declared, ...used.map((use) => use.node), ...keys];
}

function memberAt(draft: Draft, uses: readonly Use[], node: number): number {
  if (KEYS.has(typeOf(draft.syntax, node))) {
    const key = keyDeclared(draft, node);
    if (key >= 0) return key;
  }
  const use = uses.find((one) => one.node === node);
  return use === undefined || use.of < 0 ? -1 : literalMember(draft, use.of, use.name);
}

function keyDeclared(draft: Draft, node: number): number {
  return SHORT.has(typeOf(draft.syntax, node)) ? literalKey(draft, node) : memberDeclared(draft, node);
}

const SHORT: ReadonlySet<string> = new Set([SHORTHAND, 'shorthand_property_identifier']);
const KEYS: ReadonlySet<string> = new Set([...SHORT, 'property_identifier', 'field_identifier', 'this']);

/** Where the comment of its function names a parameter: `@param name` (JSDoc › @param). */
function documented({syntax, language}: Draft, {node, name}: Binding, lines: Lines): readonly Range[] {
  const around = language.contexts === undefined ? -1 : functionAround(syntax, node);
  const parameters = childIn(syntax, around, 'parameters');
  if (parameters < 0 || node < parameters || endOf(syntax, node) > endOf(syntax, parameters)) return [];
  const comment = commentAbove({syntax, language}, around);
  if (comment < 0) return [];
  const start = startOf(syntax, comment);
  return [...textOf(syntax, comment).matchAll(PARAMETER)].flatMap(({0: whole, 1: word, index}) => {
    const from = start + index + whole.length - name.length;
    return word === name ? [lines.range(from, from + name.length)] : [];
  });
}

const PARAMETER = /@(?:param|arg|argument)[^\S\n]+(?:\{[^}\n]*\}[^\S\n]+)?\[?([\p{L}_$][\p{L}\p{N}_$]*)/gu;

/** The comment before the statement or the member that a function is, or is the value of; -1 for none. */
function commentAbove({syntax, language}: Pick<Draft, 'syntax' | 'language'>, node: number): number {
  let at = node;
  for (let up = 0; up < FARTHEST; up++) {
    const parent = parentOf(syntax, at);
    if (parent < 0) return -1;
    const siblings = childrenOf(syntax, parent);
    const before = siblings[siblings.indexOf(at) - 1] ?? -1;
    if (before >= 0 && language.comments.includes(typeOf(syntax, before)))
      return syntax.text.startsWith('/**', startOf(syntax, before)) ? before : -1;
    at = parent;
  }
  return -1;
}

/** From a function to its declaration, to what exports that. */
const FARTHEST = 4;
