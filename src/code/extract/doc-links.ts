import {SPACE} from '../languages/language.ts';
import type {Binding, Draft} from './draft.ts';
import {lookup} from './lookup.ts';
import {scopeAround} from './scope-around.ts';
import {endOf, startOf} from './syntax.ts';

/** A name in a comment, and what this file says that it is. */
export interface DocLink {
  readonly comment: number;
  readonly name: string;
  readonly start: number;
  readonly binding: Binding;
}

/**
 * What comments before declarations link to: `{@link Server}`, `@see Server` (JSDoc › Inline link, › @see). Of names that this file declares or
 * imports: other words are words.
 */
export function docLinks(draft: Draft, comments: readonly number[]): DocLink[] {
  const {syntax, language} = draft;
  if (language.contexts === undefined || !/@(?:link|see)/u.test(syntax.text)) return [];
  return comments.flatMap((comment) => {
    const start = startOf(syntax, comment);
    if (!syntax.text.startsWith('/**', start)) return [];
    const links = [...syntax.text.slice(start, endOf(syntax, comment)).matchAll(LINK)];
    if (links.length === 0) return [];
    const scope = scopeAround(draft, comment);
    return links.flatMap(([whole, name = ''], at): DocLink[] => {
      const from = start + (links[at]?.index ?? 0) + whole.length - name.length;
      const binding = lookup(draft, {name, scope, space: SPACE.both, at: from});
      const isKnown = binding !== undefined && (binding.symbol >= 0 || binding.import >= 0);
      return isKnown ? [{comment, name, start: from, binding}] : [];
    });
  });
}

const LINK = /(?:\{@link(?:code|plain)?|@see)[^\S\n]+([\p{L}_$][\p{L}\p{N}_$]*)/gu;
