import {FettleError} from '../../base/errors.ts';
import {isJsonObject, type JsonObject} from '../../base/json.ts';

/** The shape of an argument of the SDK. Callers may write JavaScript, or ignore the types. */
export interface Shape {
  /** The expected value in words: `a function`. */
  readonly must: string;
  readonly fits: (value: unknown) => boolean;
  /** The keys of an object, with the shape of each and whether it is required. */
  readonly keys?: Readonly<Record<string, Shape>> | undefined;
  readonly required?: readonly string[] | undefined;
  /** For an object with several forms: returns the form that this value was meant to have. */
  readonly formOf?: ((value: JsonObject) => Shape) | undefined;
}

export type Parameters = Readonly<Record<string, Shape>>;

/** Wraps the function so that invalid arguments are refused with a message before it runs. Throws BAD_ARGS. */
export function checked<Args extends readonly unknown[], Result>(
  name: string,
  parameters: Parameters,
  call: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => {
    assertArguments(name, parameters, args);
    return call(...args);
  };
}

/** The same for a function that returns a promise: the promise is rejected. */
export function checkedAsync<Args extends readonly unknown[], Result>(
  name: string,
  parameters: Parameters,
  call: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    assertArguments(name, parameters, args);
    return await call(...args);
  };
}

/** Throws BAD_ARGS naming every invalid argument, and its expected form. */
export function assertArguments(name: string, parameters: Parameters, args: readonly unknown[]): void {
  const problems = Object.entries(parameters).flatMap(([parameter, shape], index) => problemsOf(parameter, shape, args[index]));
  if (problems.length === 0) return;
  throw new FettleError({
    code: 'BAD_ARGS',
    message: `${name}: ${problems.join('; ')}.`,
    hint: `${name}(${Object.keys(parameters).join(', ')}): its types are in the declarations of the package.`,
  });
}

function problemsOf(path: string, shape: Shape, value: unknown): string[] {
  if (!shape.fits(value)) return [`${path} must be ${shape.must}, not ${shown(value)}`];
  if (shape.formOf !== undefined && isJsonObject(value)) return problemsOf(path, shape.formOf(value), value);
  const {keys, required = []} = shape;
  if (keys === undefined || !isJsonObject(value)) return [];
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(keys, key));
  return [
    ...Object.entries(keys).flatMap(([key, inner]) => {
      const item: unknown = value[key];
      return item === undefined && !required.includes(key) ? [] : problemsOf(`${path}.${key}`, inner, item);
    }),
    ...unknown.map((key) => `${path}.${key.slice(0, MAX_SHOWN)} is not known (known: ${Object.keys(keys).join(', ')})`),
  ];
}

const MAX_SHOWN = 40;

function shown(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

export const TEXT: Shape = {must: 'a text that is not blank', fits: (value) => typeof value === 'string' && value.trim() !== ''};
export const FLAG: Shape = {must: 'true or false', fits: (value) => typeof value === 'boolean'};
export const FUNCTION: Shape = {must: 'a function', fits: (value) => typeof value === 'function'};
export const OBJECT: Shape = {must: 'an object', fits: isObject};
export const COUNT: Shape = {must: 'a number of at least 0', fits: (value) => typeof value === 'number' && value >= 0};
export const SIGNAL: Shape = {
  must: 'an AbortSignal, such as new AbortController().signal',
  fits: (value) => value instanceof AbortSignal,
};

export function arrayShape({must, fits}: Shape): Shape {
  return {must: `a list, each item ${must}`, fits: (value) => Array.isArray(value) && value.every(fits)};
}

export function optional({must, fits, ...rest}: Shape): Shape {
  return {...rest, must: `${must}, or left out`, fits: (value) => value === undefined || fits(value)};
}

export function enumShape(words: readonly string[]): Shape {
  return {must: `one of ${words.join(', ')}`, fits: (value) => typeof value === 'string' && words.includes(value)};
}

/** An object with these keys and no others. */
export function objectShape(keys: Readonly<Record<string, Shape>>, required: readonly string[]): Shape {
  return {...OBJECT, keys, required};
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
