import {mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import {fettlePaths} from '../../config/paths.ts';
import type {ThreadStarted} from '../../protocol/events.ts';
import {loadLog} from '../../sessions/log-reader.ts';
import type {LoggedEvent} from '../../sessions/log-line.ts';
import {recordedTurns} from '../../sessions/replay/recorded-turns.ts';
import {subagentLogs, type SubagentLog} from '../../sessions/export/subagent-logs.ts';
import {findSession, type SessionFile} from '../../sessions/session-files.ts';
import {open, type ReplayRequest} from './open-replay.ts';
import {folderOf, prepare, sameTexts} from './replay-place.ts';
import type {ReplayReport} from './replay-report.ts';
import {runReplay} from './run-replay.ts';
import {subagentNotes} from './subagent-notes.ts';

/**
 * Runs a recorded session again without a model: requests get the recorded replies, and tools really run, in a
 * scratch copy of the folder as it was. Recorded permissions do not count. Nothing is written outside the copy;
 * calls that act outside it (servers, the network, people, subagents) are not run, and their recorded results
 * are used. Throws NOT_FOUND, NOT_UNIQUE; IO for a log without a beginning.
 */
export async function replaySession(request: ReplayRequest, signal: AbortSignal): Promise<ReplayReport> {
  const {stateDir} = fettlePaths({env: request.env, home: request.home});
  const found = findSession(stateDir, request.id);
  const {events} = await loadLog(found.file);
  const {started, since} = beginning(events, found);
  const {turns, isRewound} = recordedTurns(events);
  const source = await folderOf(request.cwd ?? started.cwd);
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'fettle-replay-')));
  const folder = join(scratch, basename(source) || 'root');
  try {
    const place = {source, folder, scratch};
    const notes = [
      ...(await prepare({place, stateDir, since}, signal)),
      ...subagentNotes(await logsOfSubagents(found.file, events), started.cwd),
      ...(isRewound ? [REWOUND] : []),
    ];
    const {tools, runsCommands, note} = await open(request, started, place);
    try {
      const same = sameTexts(started, place, stateDir);
      const options = {tools, turns, folder: {from: started.cwd, to: folder}, runsCommands, same, onEvent: request.onEvent ?? ignored};
      const replayed = await runReplay(options, signal);
      return {session: found.threadId, folder, ...replayed, notes: [...notes, ...note]};
    } finally {
      await tools.endJobs();
    }
  } finally {
    if (request.keep !== true) await rm(scratch, {recursive: true, force: true});
  }
}

const REWOUND = 'The conversation was rewound later: only what came before that is replayed.';

async function logsOfSubagents(file: string, events: readonly LoggedEvent[]): Promise<readonly SubagentLog[]> {
  return await subagentLogs(file, events, async (path) => (await loadLog(path)).events);
}

function ignored(): void {
  // Nobody is watching.
}

function beginning(events: readonly LoggedEvent[], {threadId}: SessionFile): {started: ThreadStarted; since: string} {
  const started = events.find(({event}) => event.type === 'thread.started')?.event as ThreadStarted | undefined;
  const turn = events.find(({event}) => event.type === 'turn.started');
  if (started !== undefined && turn !== undefined) return {started, since: turn.ts};
  throw new FettleError({
    code: 'IO',
    message: `Session ${threadId} has no ${started === undefined ? 'beginning' : 'turn'} that can be replayed.`,
  });
}
