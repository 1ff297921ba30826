import type {BuiltInMeaning, Meaning, NamedAt} from './code-base.ts';
import type {Given} from './infer-types.ts';
import {step} from './infer-types.ts';

/** `Array`, `Object` and `Promise` of JavaScript, where no symbol has that name: only what their functions give is known. */
export function builtInStatics({file, name}: NamedAt): BuiltInMeaning | undefined {
  return SCRIPTS.has(file.language) && RESULTS.has(name) ? {builtIn: `${name}.`, args: []} : undefined;
}

const SCRIPTS: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript']);

/** What `Array.from(all)`, `Object.values(record)`, `Promise.all(list)` give. */
export function staticResult({builtIn, method = ''}: BuiltInMeaning, {types, values}: Given): Meaning | undefined {
  const [value, callback] = values;
  if (types.length > 0 || value === undefined || value.name === '?') return undefined;
  return RESULTS.get(builtIn.slice(0, -1))?.get(method)?.(value, callback);
}

type Result = (value: NamedAt, callback: NamedAt | undefined) => Meaning | undefined;

/** Maps, as any name may be asked: `toString.call(x)`, `Object.hasOwnProperty(x)`. */
const RESULTS: ReadonlyMap<string, ReadonlyMap<string, Result>> = new Map([
  ['Array', new Map<string, Result>([['from', fromOf]])],
  ['Object', new Map<string, Result>([['values', listOf]])],
  [
    'Promise',
    new Map<string, Result>([
      ['resolve', (value) => ({builtIn: 'Promise', args: [value]})],
      ['all', allOf],
      ['race', (value) => ({builtIn: 'Promise', args: [of(of(value, '[]'), '!')]})],
    ]),
  ],
]);

/** With a function it is a list of what that gives. */
function fromOf(value: NamedAt, callback: NamedAt | undefined): Meaning | undefined {
  return callback === undefined ? listOf(value) : undefined;
}

function listOf(value: NamedAt): Meaning {
  return {builtIn: 'Array', args: [of(value, '[]')]};
}

/** Of a list that is written out each element has its own type. */
function allOf(value: NamedAt): Meaning | undefined {
  if (!value.name.startsWith('typeof ') && value.name.includes('|')) return undefined;
  return {builtIn: 'Promise', args: [{...value, name: `(${of(of(value, '[]'), '!').name})[]`}]};
}

function of(value: NamedAt, next: string): NamedAt {
  return {...value, name: step(value.name, next)};
}
