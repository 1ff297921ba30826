import {hash} from 'node:crypto';
import {FettleError} from '../../base/errors.ts';
import type {RolloutKey} from '../rollout/rollout.ts';

/**
 * Returns the folder of a rollout in a store, relative, with `/`. A person can read it; the digest makes it unique, also where names were cut, where
 * file systems know no case, and whatever characters a model's name has.
 */
export function artifactFolder({run, task, model, toolset, attempt}: RolloutKey): string {
  const digest = hash('sha256', JSON.stringify([run, task, model, toolset, attempt])).slice(0, 16);
  return [readable(run), readable(task), `${readable(model)}.${readable(toolset)}.${attempt}-${digest}`].join('/');
}

/** Returns the name if it is one; else throws BAD_ARGS. */
export function checkedName(name: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,99}$/.test(name)) return name;
  const hint = 'Use letters, digits, `.`, `_` and `-`, at most 100, a letter or digit first.';
  throw new FettleError({code: 'BAD_ARGS', message: `${JSON.stringify(name.slice(0, 120))} cannot be the name of an artefact.`, hint});
}

const LONGEST = 60;

/** Safe as one part of a path on every system: never empty, never `..`. */
function readable(text: string): string {
  return (
    text
      .replaceAll(/[^\w.-]/g, '_')
      .replace(/^[.-]+/, '_')
      .slice(0, LONGEST)
      .replace(/\.+$/, '_') || '_'
  );
}
