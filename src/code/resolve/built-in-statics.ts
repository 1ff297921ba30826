import type {BuiltInMeaning, Meaning, NamedAt} from './code-base.ts';
import type {Given} from './infer-types.ts';
import {step} from './infer-types.ts';

/** `Array`, `Object` and `Promise` of JavaScript, where no symbol has that name: only what their functions give is known. */
export function builtInStatics({file, name}: NamedAt): BuiltInMeaning | undefined {
  return SCRIPTS.has(file.language) && RESULTS[name] !== undefined ? {builtIn: `${name}.`, args: []} : undefined;
}

const SCRIPTS: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript']);

/** What `Array.from(all)`, `Object.values(record)`, `Promise.all(list)` give. */
export function staticResult({builtIn, method = ''}: BuiltInMeaning, {types, values}: Given): Meaning | undefined {
  const [value, callback] = values;
  if (types.length > 0 || value === undefined || value.name === '?') return undefined;
  return RESULTS[builtIn.slice(0, -1)]?.[method]?.(value, callback);
}

type Result = (value: NamedAt, callback: NamedAt | undefined) => Meaning | undefined;

const RESULTS: Readonly<Record<string, Readonly<Record<string, Result>> | undefined>> = {
  Array: {from: (value, callback) => (callback === undefined ? {builtIn: 'Array', args: [of(value, '[]')]} : undefined)},
  Object: {values: (value) => ({builtIn: 'Array', args: [of(value, '[]')]})},
  Promise: {
    resolve: (value) => ({builtIn: 'Promise', args: [value]}),
    all: allOf,
    race: (value) => ({builtIn: 'Promise', args: [of(of(value, '[]'), '!')]}),
  },
};

/** Of a list that is written out each element has its own type. */
function allOf(value: NamedAt): Meaning | undefined {
  if (!value.name.startsWith('typeof ') && value.name.includes('|')) return undefined;
  return {builtIn: 'Promise', args: [{...value, name: `(${of(of(value, '[]'), '!').name})[]`}]};
}

function of(value: NamedAt, next: string): NamedAt {
  return {...value, name: step(value.name, next)};
}
