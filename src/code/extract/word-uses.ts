import {SPACE} from '../languages/language.ts';
import type {Binding, Draft} from './draft.ts';
import {lookup} from './lookup.ts';
import {scopeAround} from './scope-around.ts';
import {endOf, startOf} from './syntax.ts';

/** A name in a text that the grammar leaves as it is, and what this file says that it is. */
export interface WordUse {
  /** The node of the text. */
  readonly node: number;
  readonly kind: 'call' | 'reference';
  readonly name: string;
  readonly start: number;
  readonly binding: Binding | undefined;
  /** Of what it is a member, nobody says. */
  readonly isMember: boolean;
}

/**
 * The names in texts that mean code only where they are used: what a macro of C stands for, symbols of Ruby that name a method. Parameters of
 * the macro are left out.
 */
export function wordUses(draft: Draft): WordUse[] {
  const {syntax, language, marks} = draft;
  const {unparsed} = language;
  if (unparsed === undefined) return [];
  const wanted = syntax.grammar.types.indexOf(unparsed.node);
  const uses: WordUse[] = [];
  for (let node = 0; node < syntax.count; node++) {
    if (syntax.type[node] !== wanted || marks[node] !== 0) continue;
    const names = unparsed.names(syntax, node);
    if (names !== undefined) uses.push(...usesIn(draft, node, {...unparsed, isMember: names === 'elsewhere'}));
  }
  return uses;
}

interface Unparsed {
  readonly words: RegExp;
  readonly isReserved?: (word: string) => boolean;
  readonly isMember: boolean;
}

function usesIn(draft: Draft, node: number, {words, isReserved, isMember}: Unparsed): WordUse[] {
  const {syntax} = draft;
  const text = syntax.text.slice(startOf(syntax, node), endOf(syntax, node));
  const found = [...text.matchAll(words)].filter(({1: name}) => name !== undefined && isReserved?.(name) !== true);
  if (found.length === 0) return [];
  const scope = scopeAround(draft, node);
  return found.flatMap(({0: name, index}): WordUse[] => {
    const [before, behind] = [text.slice(0, index).trimEnd(), text.slice(index + name.length).trimStart()];
    // Half a name, which is put together only there.
    if (before.endsWith('##') || behind.startsWith('##')) return [];
    const start = startOf(syntax, node) + index;
    const isBehindDot = isMember || /(?:\.|->)$/u.test(before);
    const binding = isBehindDot ? undefined : lookup(draft, {name, scope, space: SPACE.both, at: start});
    if (binding !== undefined && binding.symbol < 0 && binding.import < 0) return [];
    return [{node, kind: behind.startsWith('(') ? 'call' : 'reference', name, start, binding, isMember: isBehindDot}];
  });
}
