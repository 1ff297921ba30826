import {FettleError} from '../../base/errors.ts';
import {nearestWord} from '../../base/nearest-word.ts';
import type {Toolset} from '../toolset.ts';

/** Loads the toolset of this name, and no other. Throws CONFIG, naming the nearest one. */
export async function loadToolsetByName(name: string): Promise<Toolset> {
  const load = TOOLSETS.get(name);
  if (load !== undefined) return await load();
  const nearest = nearestWord(name, TOOLSET_NAMES);
  const meant = nearest === undefined ? '' : `Did you mean ${nearest}? `;
  throw new FettleError({
    code: 'CONFIG',
    message: `There is no toolset "${name}".`,
    hint: `${meant}Toolsets: ${TOOLSET_NAMES.join(', ')}.`,
  });
}

const TOOLSETS: ReadonlyMap<string, () => Promise<Toolset>> = new Map([
  ['fettle', async () => (await import('./fettle/fettle.ts')).fettle],
  ['small', async () => (await import('./small.ts')).small],
  ['blade', async () => (await import('./blade/blade.ts')).blade],
  ['microcode', async () => (await import('./microcode.ts')).microcode],
  ['vibe', async () => (await import('./vibe.ts')).vibe],
  ['vtcode', async () => (await import('./vtcode.ts')).vtcode],
]);

export const TOOLSET_NAMES: readonly string[] = [...TOOLSETS.keys()];

/** Returns the names of all tools of all toolsets, with the families by which rules know them. Loads every toolset. */
export async function toolsetToolNames(): Promise<ReadonlySet<string>> {
  const toolsets = await Promise.all(TOOLSET_NAMES.map(loadToolsetByName));
  const tools = await Promise.all(toolsets.map(async (toolset) => [...toolset.tools, ...((await toolset.deferred?.()) ?? [])]));
  return new Set(tools.flat().flatMap(({name, permission}) => [name, permission]));
}
