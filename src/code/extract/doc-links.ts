import {SPACE} from '../languages/language.ts';
import type {Binding, Draft} from './draft.ts';
import {lookup} from './lookup.ts';
import {scopeAround} from './scope-around.ts';
import {endOf, startOf} from './syntax.ts';

/** A name in a comment, and what this file says that it is; of a member what it is a member of instead. */
export interface DocLink {
  readonly comment: number;
  readonly name: string;
  readonly start: number;
  readonly binding: Binding | undefined;
  readonly receiver: string | undefined;
}

/**
 * What comments before declarations link to: `{@link Server}`, `@see Server` (JSDoc › Inline link, › @see), and the types that they tell. Of names that this file declares or
 * imports: other words are words.
 */
export function docLinks(draft: Draft, comments: readonly number[]): DocLink[] {
  const {syntax, language} = draft;
  if (language.contexts === undefined || !/@(?:link|see|\w+[^\S\n]*\{)/u.test(syntax.text)) return [];
  return comments.flatMap((comment) => {
    const start = startOf(syntax, comment);
    if (!syntax.text.startsWith('/**', start)) return [];
    const text = syntax.text.slice(start, endOf(syntax, comment));
    const links = [...text.matchAll(LINK), ...typesIn(text)].toSorted((a, b) => a.index - b.index);
    if (links.length === 0) return [];
    const scope = scopeAround(draft, comment);
    return links.flatMap(({0: whole, 1: chain = '', index}): DocLink[] => {
      const from = start + index + whole.length - chain.length;
      const [name = '', ...members] = chain.split(MEMBER);
      const binding = lookup(draft, {name, scope, space: SPACE.both, at: from});
      if (binding === undefined || (binding.symbol < 0 && binding.import < 0)) return [];
      return [{comment, name, start: from, binding, receiver: undefined}, ...memberLinks({comment, start: from}, name, members)];
    });
  });
}

/** The names of types in the braces of tags: `@param {Server[]} all` (JSDoc › Types). Those of members are none. */
function typesIn(text: string): RegExpExecArray[] {
  return [...text.matchAll(TYPED)].flatMap((tag) =>
    [...(tag[1] ?? '').matchAll(TYPE)].map((name) =>
      Object.assign(name, {index: tag.index + tag[0].length - (tag[1] ?? '').length + name.index}),
    ),
  );
}

/** To the brace that ends the type: few types have braces in braces. */
const TYPED = /@(?:param|arg|argument|returns?|type|throws|exception|property|prop|this)[^\S\n]*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)/gu;
const TYPE = /(?<![\p{L}\p{N}_$.'"])([\p{L}_$][\p{L}\p{N}_$]*)(?![\p{L}\p{N}_$'"]|[^\S\n]*\??:)/gu;

/** `b` and `c` of `A.b.c`. */
function memberLinks({comment, start}: Pick<DocLink, 'comment' | 'start'>, first: string, members: readonly string[]): DocLink[] {
  return members.map((name, at) => {
    const before = [first, ...members.slice(0, at)].join('.');
    return {comment, name, start: start + before.length + 1, binding: undefined, receiver: before};
  });
}

/** `A.b`, and `A#b` for what an object of it has (JSDoc › Namepaths). */
const MEMBER = /[.#]/u;
const LINK = /(?:\{@link(?:code|plain)?|@see)[^\S\n]+([\p{L}_$][\p{L}\p{N}_$]*(?:[.#][\p{L}_$][\p{L}\p{N}_$]*)*)/gu;
