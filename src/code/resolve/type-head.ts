import type {Env, NamedAt, Place} from './code-base.ts';
import {closingOf, splitOutside} from './split-words.ts';

/** What the words of a declaration say before its type: `<T,U=Server>`, the names of its type parameters and what they are by default. */
export interface TypeHead {
  readonly parameters: readonly {readonly name: string; readonly fallback: string | undefined}[];
  /** The words behind it. */
  readonly rest: string;
}

export function typeHead(words: string): TypeHead {
  const end = words.startsWith('<') ? closingOf(words, 0) : -1;
  if (end < 0) return {parameters: [], rest: words};
  const parameters = splitOutside(words.slice(1, end), ',').map((parameter) => {
    const [name = '', fallback] = splitOutside(parameter, '=');
    return {name, fallback};
  });
  return {parameters, rest: words.slice(end + 1)};
}

let environments = 0;

/** The place with these types for its type parameters; as it is where it has none. */
export function withTypes(place: Place, types: readonly NamedAt[]): Place {
  const {parameters} = typeHead(place.file.table.typeNames[place.index] ?? '');
  if (parameters.length === 0) return place;
  const names = new Map<string, NamedAt>();
  const env: Env = {id: ++environments, names};
  for (const [index, {name, fallback}] of parameters.entries()) {
    const given = types[index] ?? (fallback === undefined ? undefined : {file: place.file, within: place.index, name: fallback, env});
    if (given !== undefined && given.name !== '?') names.set(name, given);
  }
  return {...place, env};
}

/** These names too, besides those that are known already. */
export function withNames(env: Env | undefined, names: ReadonlyMap<string, NamedAt>): Env | undefined {
  return names.size === 0 ? env : {id: ++environments, names: new Map([...(env?.names ?? []), ...names])};
}

/** What tells two questions about the same words apart. */
export function envKey({env}: {readonly env?: Env | undefined}): string {
  return env === undefined ? '' : `#${env.id}`;
}

/** The type that a name has without a call: a function has none, a getter its result. */
export function typeHad(kind: string, type: string | undefined): string | undefined {
  if (type?.startsWith('get ') === true) return type.slice(4);
  return kind === 'function' || kind === 'method' || type === undefined ? undefined : typeHead(type).rest;
}
