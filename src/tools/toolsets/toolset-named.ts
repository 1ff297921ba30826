import {FettleError} from '../../base/errors.ts';
import {nearestWord} from '../../base/nearest-word.ts';
import type {Toolset} from '../toolset.ts';

/** The toolset of a name; only that one is loaded. Throws CONFIG, naming the nearest. */
export async function toolsetNamed(name: string): Promise<Toolset> {
  const load = TOOLSETS.get(name);
  if (load !== undefined) return await load();
  const names = [...TOOLSETS.keys()];
  const nearest = nearestWord(name, names);
  const meant = nearest === undefined ? '' : `Did you mean ${nearest}? `;
  throw new FettleError({code: 'CONFIG', message: `There is no toolset "${name}".`, hint: `${meant}Toolsets: ${names.join(', ')}.`});
}

const TOOLSETS: ReadonlyMap<string, () => Promise<Toolset>> = new Map([
  ['fettle', async () => (await import('./fettle.ts')).fettle],
  ['microcode', async () => (await import('./microcode.ts')).microcode],
]);
