import {FettleError} from '../../base/errors.ts';

/** Lower case letters, digits and single hyphens between them: a name of a file everywhere. */
const NAME = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Returns true for the name of a job. */
export function isJobName(name: string): boolean {
  return NAME.test(name);
}

/** Throws USAGE unless the text can be the name of a job. */
export function requireJobName(name: string): void {
  if (isJobName(name)) return;
  throw new FettleError({
    code: 'USAGE',
    message: `"${name}" cannot be the name of a job.`,
    hint: 'Use lower case letters, digits and single hyphens, at most 64 characters, such as nightly-checks.',
  });
}

/** Returns a name made from the first words of a text that is none of the taken ones: `update-the-dependencies`, `update-the-dependencies-2`. */
export function nameFrom(text: string, taken: readonly string[]): string {
  const words = text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const base = joined(words.slice(0, WORDS)) || 'job';
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (!taken.includes(name)) return name;
  }
}

const WORDS = 4;
const LONGEST = 40;

/** Whole words where they fit. */
function joined(words: readonly string[]): string {
  const name = words.reduce((text, word) => (text === '' ? word : `${text}-${word}`.length <= LONGEST ? `${text}-${word}` : text), '');
  return name.slice(0, LONGEST);
}
