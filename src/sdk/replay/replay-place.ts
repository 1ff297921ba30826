import {mkdir, realpath} from 'node:fs/promises';
import {join} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import {createRedactor} from '../../base/redact.ts';
import type {ThreadStarted} from '../../protocol/events.ts';
import {createNormaliser} from '../../sessions/replay/normalize-replayed-text.ts';
import {pathText} from '../../workspace/checkpoints/byte-path.ts';
import {toEarlierState} from '../../workspace/checkpoints/restore/earlier-state.ts';
import {storePlace} from '../../workspace/checkpoints/store/store-place.ts';
import {copyFolder} from '../../workspace/scratch-copy.ts';

/** Returns the real path of a folder. Throws NOT_FOUND. */
export async function folderOf(path: string): Promise<string> {
  return await realpath(path).catch((cause: unknown) => {
    throw new FettleError({code: 'NOT_FOUND', message: `The folder ${path} does not exist.`, hint: 'Name another one with --cwd.', cause});
  });
}

/** The recorded folder, its copy, and the scratch folder around it. */
export interface Place {
  readonly source: string;
  readonly folder: string;
  readonly scratch: string;
}

/** The folder as it was when the session began, as far as checkpoints show. Returns notices about it. */
export async function prepare(
  {place, stateDir, since}: {place: Place; stateDir: string; since: string},
  signal: AbortSignal,
): Promise<string[]> {
  await copyFolder({from: place.source, to: place.folder, without: [stateDir]}, signal);
  await mkdir(join(place.scratch, 'spool'), {mode: 0o700});
  const earlier = {place: storePlace(stateDir, place.source), copy: place.folder, since, maxFileBytes: Number.MAX_SAFE_INTEGER};
  const {restored, refused} = await toEarlierState(earlier);
  const gone = refused.slice(0, 5).map(({path, reason}) => `${pathText(path)} is not as it was: ${reason}.`);
  return [
    restored === 0
      ? `Copied ${place.source} as it is now: no checkpoint tells what changed since the session began.`
      : `Copied ${place.source} and took back ${restored} changes that were made since the session began.`,
    ...gone,
    ...(refused.length > gone.length ? [`And ${refused.length - gone.length} more.`] : []),
  ];
}

/** The recorded folder and the copy compare as the same place, and so do the folders of long outputs; secrets are hidden as in the recording. */
export function sameTexts(started: ThreadStarted, {source, folder, scratch}: Place, stateDir: string): (text: string) => string {
  const redactor = createRedactor({shapes: true});
  const same = createNormaliser([
    {name: '<folder>', paths: [started.cwd, source, folder]},
    {name: '<stored>', paths: [join(stateDir, 'spool', started.thread_id), join(scratch, 'spool')]},
  ]);
  return (text) => same(redactor.text(text));
}
