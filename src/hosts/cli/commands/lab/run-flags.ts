import {availableParallelism} from 'node:os';
import {resolve} from 'node:path';
import {FettleError} from '../../../../base/errors.ts';
import type {Io} from '../../io.ts';

/** The options of `fettle lab run`, as they were typed. */
export interface LabRunFlags {
  readonly models?: string;
  readonly toolsets?: string;
  readonly tasks?: string;
  readonly attempts?: string;
  readonly workers?: string;
  readonly budget?: string;
  readonly name?: string;
  readonly store?: string;
  readonly queue?: string;
  /** false: `--no-isolation`. */
  readonly isolation: boolean;
  /** A name, or `CHOOSE` for the newest. */
  readonly resume?: string;
}

/** Half of the processors, if nothing else is wanted; 0 leaves the work to workers of other machines. */
export function workersOf(text: string | undefined, isShared: boolean): number {
  if (text === '0' && isShared) return 0;
  return whole('--workers', text) ?? Math.max(1, Math.floor(availableParallelism() / 2));
}

/** Returns the place of artefacts that an option names, absolute. */
export function placeOf({cwd}: Io, place: string | undefined): string | undefined {
  return place === undefined || place.startsWith('s3://') ? place : resolve(cwd, place);
}

/** Splits a list at commas; undefined if there is none. */
export function listOf(text: string | undefined): readonly string[] | undefined {
  const words = text
    ?.split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  return words === undefined || words.length === 0 ? undefined : [...new Set(words)];
}

/** Returns the models that an option names; files that answer are absolute, since a rollout works in a folder of its own. */
export function modelsOf({cwd}: Pick<Io, 'cwd'>, text: string | undefined): readonly string[] | undefined {
  return listOf(text)?.map((model) =>
    model.replace(/^(script|replay):(.+)$/s, (_, kind: string, file: string) => `${kind}:${resolve(cwd, file)}`),
  );
}

/** Reads a whole number from 1 on. Throws USAGE for anything else. */
export function whole(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new FettleError({
    code: 'USAGE',
    message: `${option} ${text}: a whole number from 1 on is needed.`,
    hint: 'See `fettle lab run --help`.',
  });
}

/** Reads an amount of US dollars. Throws USAGE for anything else. */
export function amount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const usd = Number(text);
  if (Number.isFinite(usd) && usd > 0) return usd;
  throw new FettleError({
    code: 'USAGE',
    message: `--budget ${text}: an amount of US dollars above 0 is needed.`,
    hint: 'For example --budget 5.',
  });
}
