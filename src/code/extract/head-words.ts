import type {Draft} from './draft.ts';
import {keyWords} from './list-words.ts';
import {childIn, childOf, childrenOf, textOf, typeOf} from './syntax.ts';

/** Reads a type where it stands. */
export type ReadType = (node: number) => string | undefined;

/** `<T,U=Server>`: the type parameters of a declaration, and what they are by default; '' where it has none. */
export function parameterWords({syntax}: Draft, node: number, read: ReadType): string {
  const names = childrenOf(syntax, childIn(syntax, node, 'type_parameters')).map((parameter) => {
    const fallback = read(childrenOf(syntax, childIn(syntax, parameter, 'value'))[0] ?? -1);
    return `${textOf(syntax, childIn(syntax, parameter, 'name'))}${fallback === undefined ? '' : `=${fallback}`}`;
  });
  return names.length === 0 ? '' : `<${names.join(',')}>`;
}

/** `:Base<T>`: the bases of a class or an interface that are given types; '' where none is. */
export function baseWords(draft: Draft, node: number, read: ReadType): string {
  const {syntax} = draft;
  const heritage = childOf(syntax, node, 'class_heritage');
  const clauses = heritage < 0 ? [childOf(syntax, node, 'extends_type_clause')] : childrenOf(syntax, heritage);
  const bases = clauses.flatMap((clause) => {
    const own = childIn(syntax, clause, 'type_arguments');
    const value = childIn(syntax, clause, 'value');
    if (own >= 0 && value >= 0) return [given(draft, {name: value, types: own}, read)];
    return childrenOf(syntax, clause)
      .filter((base) => typeOf(syntax, base) === 'generic_type')
      .map((base) => given(draft, {name: childIn(syntax, base, 'name'), types: childIn(syntax, base, 'type_arguments')}, read));
  });
  return bases.length === 0 ? '' : `:${bases.join(',')}`;
}

function given(draft: Draft, {name, types}: {readonly name: number; readonly types: number}, read: ReadType): string {
  const {syntax} = draft;
  const words = childrenOf(syntax, types).map((type) => read(type) ?? keyWords(draft, type) ?? '?');
  return `${textOf(syntax, name).replaceAll(/\s/gu, '')}<${words.join(',')}>`;
}
