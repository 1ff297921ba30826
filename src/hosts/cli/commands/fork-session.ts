import {fettlePaths} from '../../../config/paths.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import type {Io} from '../io.ts';

/** `fettle sessions fork ID [--summarize]`: prints the id of the new session; `--resume` goes on with it. */
export async function forkOne(io: Io, id: string, {summarize}: {readonly summarize?: true}): Promise<number> {
  const {stateDir} = fettlePaths({env: io.env, home: io.home});
  const fork = summarize === true ? await summarized(stateDir, id) : await whole(stateDir, id);
  io.data(`${fork.threadId}\n`);
  io.note(`Go on with it: fettle --resume ${fork.threadId}`);
  return EXIT.done;
}

async function whole(stateDir: string, id: string): Promise<{readonly threadId: string}> {
  const {forkSession} = await import('../../../sessions/session-fork.ts');
  return await forkSession(stateDir, id);
}

async function summarized(stateDir: string, id: string): Promise<{readonly threadId: string}> {
  const {forkWithSummary} = await import('../../../sdk/sessions/fork-with-summary.ts');
  return await forkWithSummary(stateDir, id);
}
