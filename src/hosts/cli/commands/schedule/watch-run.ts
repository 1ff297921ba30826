import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {runFolder, type ScheduleFolders} from '../../../../schedule/store/schedule-folders.ts';
import type {Io} from '../../io.ts';
import {execEvents} from '../../output/exec-events.ts';
import {followEvents} from './follow-events.ts';

/** Shows the progress of a run on stderr while it goes on. `end` shows the rest, and the answer on stdout if there is one. */
export async function watchRun(
  io: Io,
  folders: Pick<ScheduleFolders, 'runs'>,
  run: {readonly job: string; readonly id: number},
): Promise<{end(): Promise<void>}> {
  const folder = runFolder(folders, run);
  const progress = await execEvents(io, {});
  const follow = followEvents(join(folder, 'events.jsonl'), progress.onEvent);
  return {
    async end() {
      follow.end();
      const answer = (await readFile(join(folder, 'last-message.txt'), 'utf8').catch(() => undefined))?.trim();
      progress.end(answer);
      if (answer !== undefined && answer !== '') io.shown(`${answer}\n`);
    },
  };
}
