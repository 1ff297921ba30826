import {mkdir, mkdtemp, realpath, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {FettleError, isFettleError} from '../../base/errors.ts';
import {createRedactor} from '../../base/redact.ts';
import type {Flags} from '../../config/overrides.ts';
import {fettlePaths} from '../../config/paths.ts';
import {pathText} from '../../workspace/checkpoints/byte-path.ts';
import {toEarlierState} from '../../workspace/checkpoints/restore/earlier-state.ts';
import {storePlace} from '../../workspace/checkpoints/store/store-place.ts';
import type {ThreadEvent, ThreadStarted} from '../../protocol/events.ts';
import {loadLog} from '../../sessions/log-reader.ts';
import type {LoggedEvent} from '../../sessions/log-line.ts';
import {recordedTurns} from '../../sessions/replay/recorded-turns.ts';
import {subagentLogs, type SubagentLog} from '../../sessions/export/subagent-logs.ts';
import {createNormaliser} from '../../sessions/replay/same-text.ts';
import {findSession, type SessionFile} from '../../sessions/session-files.ts';
import {loadSettings, type SessionSettings} from '../settings/load-settings.ts';
import {openTools, type OpenedTools} from '../tools/open-tools.ts';
import type {ReplayReport} from './replay-report.ts';
import {runReplay} from './run-replay.ts';
import {copyFolder} from './scratch-copy.ts';
import {subagentNotes} from './subagent-notes.ts';

export interface ReplayRequest {
  /** The session, or the beginning of its id. */
  readonly id: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The folder that is copied; without it the recorded one. */
  readonly cwd?: string | undefined;
  /** What may run, where it is not what is usual: files of the copy, and commands in the sandbox. */
  readonly flags?: Pick<Flags, '--mode' | '--sandbox' | '--allow' | '--ask' | '--deny'> | undefined;
  readonly keep?: boolean | undefined;
  readonly onEvent?: (event: ThreadEvent) => void;
}

/**
 * Runs a recorded session again without a model: its replies are answered as they were recorded, its tools run for real, in a scratch copy
 * of the folder as it was. Recorded permissions count for nothing. Nothing is written outside of the copy; what acts outside of it (servers,
 * the network, people, subagents) is not run, and its recorded result is used. Throws NOT_FOUND, NOT_UNIQUE; IO for a log without a beginning.
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
  // Nobody looks on.
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

async function folderOf(path: string): Promise<string> {
  return await realpath(path).catch((cause: unknown) => {
    throw new FettleError({code: 'NOT_FOUND', message: `The folder ${path} is not there.`, hint: 'Name another one with --cwd.', cause});
  });
}

interface Place {
  readonly source: string;
  readonly folder: string;
  readonly scratch: string;
}

/** The folder as it was when the session began, as far as checkpoints tell. Returns what a person should know of it. */
async function prepare({place, stateDir, since}: {place: Place; stateDir: string; since: string}, signal: AbortSignal): Promise<string[]> {
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

interface Opened {
  readonly tools: OpenedTools;
  readonly runsCommands: boolean;
  readonly note: readonly string[];
}

/** Files of the copy may be changed, and commands run in the sandbox; without one they are not run. */
async function open(request: ReplayRequest, {toolset}: ThreadStarted, {folder, scratch}: Place): Promise<Opened> {
  const flags = {'--mode': 'accept-edits', ...defined(request.flags ?? {}), '--toolset': toolset};
  const isUsual = request.flags?.['--mode'] === undefined && request.flags?.['--sandbox'] === undefined;
  const settings = async (sandbox: string | undefined): Promise<SessionSettings> => {
    const wanted = sandbox === undefined ? flags : {...flags, '--sandbox': sandbox};
    const session = await loadSettings({cwd: folder, env: request.env, home: request.home, flags: wanted});
    return {...session, settings: {...session.settings, mcp_servers: []}};
  };
  const spoolDir = join(scratch, 'spool');
  if (!isUsual) return {tools: await openTools({session: await settings(undefined), spoolDir}), runsCommands: true, note: []};
  try {
    const tools = await openTools({session: await settings('workspace-write'), spoolDir});
    tools.grant('bash:*');
    return {tools, runsCommands: true, note: []};
  } catch (error) {
    if (!isFettleError(error) || error.code !== 'UNAVAILABLE') throw error;
    const note = [`Commands are not run: ${error.message} \`--mode full-auto --no-sandbox\` runs them without walls.`];
    return {tools: await openTools({session: await settings('off'), spoolDir}), runsCommands: false, note};
  }
}

function defined(flags: Flags): Flags {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
}

/** The recorded folder and the copy are one place, and so are the folders of long outputs; secrets are hidden as in the recording. */
function sameTexts(started: ThreadStarted, {source, folder, scratch}: Place, stateDir: string): (text: string) => string {
  const redactor = createRedactor({shapes: true});
  const same = createNormaliser([
    {name: '<folder>', paths: [started.cwd, source, folder]},
    {name: '<stored>', paths: [join(stateDir, 'spool', started.thread_id), join(scratch, 'spool')]},
  ]);
  return (text) => same(redactor.text(text));
}
