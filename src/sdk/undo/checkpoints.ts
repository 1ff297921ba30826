import {existsSync} from 'node:fs';
import {FettleError} from '../../base/errors.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import {openSession} from '../../sessions/session-store.ts';
import {pathText} from '../../workspace/checkpoints/byte-path.ts';
import type {Checkpoint, RestoreScope} from '../../workspace/checkpoints/checkpoint.ts';
import {diffCheckpoint, type FileDiff} from '../../workspace/checkpoints/diff-checkpoint.ts';
import {findCheckpoints, netChanges, readCheckpoints} from '../../workspace/checkpoints/read-checkpoints.ts';
import {restoreCheckpoint} from '../../workspace/checkpoints/restore/restore.ts';
import {undoState} from '../../workspace/checkpoints/restore/undo-chain.ts';
import type {StorePlace} from '../../workspace/checkpoints/store/store-place.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {checkpointPlace, recoverPlace, tidyPlace, withPlace, type CheckpointPlace} from './checkpoint-place.ts';

export interface CheckpointInfo {
  readonly id: string;
  readonly session: string;
  readonly kind: 'turn' | 'restore';
  readonly title: string;
  readonly startedAt: string;
  /** running: its turn has not ended · undone · redo: restoring it takes back an undo. */
  readonly state: 'done' | 'running' | 'undone' | 'redo';
  /** Paths from the root of the workspace. */
  readonly changed: readonly string[];
  readonly notes: readonly string[];
}

export interface RestoreRequest {
  /** The id of a checkpoint, or a unique prefix. 'undo', 'redo': the newest of `session` that can be undone or redone. */
  readonly id: string;
  /** Paths to restore; none: all. */
  readonly files?: readonly string[];
  readonly scope?: RestoreScope;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

export interface RestoreReport {
  /** undefined: there was nothing to do. */
  readonly id: string | undefined;
  readonly target: {readonly id: string; readonly title: string};
  readonly restored: readonly string[];
  /** Paths that were left unchanged, with the reason; a conflict can be overridden. */
  readonly refused: readonly {readonly path: string; readonly reason: string; readonly isConflict: boolean}[];
  readonly notes: readonly string[];
  /** Changes that happened while a command ran. They count as the command's, whoever made them. `at`: when they were noticed, ISO 8601. */
  readonly seen: readonly {readonly path: string; readonly at: string}[];
  readonly rewound: boolean;
}

/** Lists the checkpoints of the folder, oldest first; `session` (the beginning of its id is enough) limits the list to one session. */
export async function listCheckpoints(settings: SessionSettings, session?: string): Promise<readonly CheckpointInfo[]> {
  const at = await openedPlace(settings);
  const all = readCheckpoints(at.place);
  const states = statesOf(all, at);
  return all
    .filter((one) => session === undefined || one.session.startsWith(session) || one.session.startsWith(`thr_${session}`))
    .map((one) => ({
      id: one.id,
      session: one.session,
      kind: one.kind,
      title: one.title,
      startedAt: one.startedAt,
      state: states.get(one.id) ?? 'done',
      changed: netChanges(one).map(([path]) => pathText(path)),
      notes: one.notes,
    }));
}

/** Shows the changes of a checkpoint, file by file. Throws NOT_FOUND, NOT_UNIQUE. */
export async function showCheckpoint(settings: SessionSettings, id: string, files: readonly string[]): Promise<readonly FileDiff[]> {
  const at = await openedPlace(settings);
  return await diffCheckpoint({place: at.place, checkpoint: checkpointNamed(at.place, id), files});
}

export interface RestoreHost {
  /** The session that this process runs; undefined: none. */
  readonly own?: string | undefined;
  /** Emits events into the conversation of that session; absent: the session is opened for it. */
  readonly emit?: (event: ThreadEvent) => void;
  /** True if that conversation can still go back to a turn. */
  readonly reaches?: (id: string) => boolean;
}

/**
 * Restores the state at the beginning of a checkpoint. Throws NOT_FOUND, NOT_UNIQUE; UNAVAILABLE while its session runs elsewhere, or another
 * process restores in this folder; IO if the saved content is damaged, or the current content could not be saved; DENIED if the store belongs to
 * another user. If it throws, nothing was changed.
 */
export async function restoreTo(settings: SessionSettings, request: RestoreRequest, host: RestoreHost = {}): Promise<RestoreReport> {
  const at = checkpointPlace(settings, settings.cwd, host.own);
  // If nothing was ever saved, nothing is created.
  if (!existsSync(at.place.folder)) targetOf(at.place, request.id, host.own);
  const report = await withPlace(at, RESTORE_TIMEOUT_MS, async () => {
    await recoverPlace(at, settings);
    return await restoreIn(at, {settings, request, host});
  });
  if (!settings.settings.optimization.enabled || report.id === undefined) return report;
  return {...report, notes: [...report.notes, ...(await learnRestore(settings, at, report))]};
}

/** Learns that the run was no success, or was one again: a person took its changes back, or that. */
async function learnRestore(settings: SessionSettings, {place}: CheckpointPlace, {target}: RestoreReport): Promise<readonly string[]> {
  const session = findCheckpoints(place, target.id)[0]?.session;
  if (session === undefined) return [];
  const {learnOutcome} = await import('../optimization/learn-outcome.ts');
  return await learnOutcome(settings, session);
}

const RESTORE_TIMEOUT_MS = 5000;

interface Restoring {
  readonly settings: SessionSettings;
  readonly request: RestoreRequest;
  readonly host: RestoreHost;
}

async function restoreIn(at: CheckpointPlace, {settings, request, host}: Restoring): Promise<RestoreReport> {
  const {files = [], scope = 'files', force = false, dryRun = false} = request;
  const target = targetOf(at.place, request.id, host.own);
  if (at.isActive(target.session)) throw running(target);
  const done = await restoreCheckpoint({place: at.place, target, limits: at.limits, scope, files, force, dryRun});
  const wanted = scope !== 'files' && done.id !== undefined && !isRefused(done);
  const rewound = wanted && (await rewind(settings, {target, id: done.id}, host));
  return {
    id: done.id,
    target: {id: target.id, title: target.title},
    restored: done.restored.map(pathText),
    refused: done.refused.map(({path, ...rest}) => ({path: pathText(path), ...rest})),
    notes: wanted && !rewound ? [...done.notes, TOO_FAR] : done.notes,
    seen: done.seen.map(({path, at: time}) => ({path: pathText(path), at: time})),
    rewound,
  };
}

/** True if every file had to stay as it is, so nothing was undone: the conversation stays as it is, too. */
function isRefused({restored, refused}: {readonly restored: readonly unknown[]; readonly refused: readonly unknown[]}): boolean {
  return restored.length === 0 && refused.length > 0;
}

const TOO_FAR = 'The conversation stays as it is: it was shortened more than once since then.';

async function openedPlace(settings: SessionSettings): Promise<CheckpointPlace> {
  const at = checkpointPlace(settings, settings.cwd);
  await tidyPlace(at, settings);
  return at;
}

function statesOf(all: readonly Checkpoint[], at: CheckpointPlace): Map<string, CheckpointInfo['state']> {
  const states = new Map<string, CheckpointInfo['state']>();
  for (const [session, own] of Map.groupBy(all, (one) => one.session)) {
    const {undone, redo} = undoState(own);
    for (const id of undone) states.set(id, 'undone');
    if (redo !== undefined) states.set(redo.id, 'redo');
    for (const {id, isClosed} of own) if (!isClosed && at.isActive(session)) states.set(id, 'running');
  }
  return states;
}

function targetOf(place: StorePlace, id: string, own: string | undefined): Checkpoint {
  if (id !== 'undo' && id !== 'redo') return checkpointNamed(place, id);
  const found = undoState(readCheckpoints(place).filter(({session}) => session === own))[id];
  if (found !== undefined) return found;
  throw new FettleError({
    code: 'NOT_FOUND',
    message: `Nothing to ${id}.`,
    hint: '`fettle checkpoints list` shows the checkpoints.',
  });
}

function checkpointNamed(place: StorePlace, id: string): Checkpoint {
  const matches = findCheckpoints(place, id);
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  if (only === undefined) {
    throw new FettleError({
      code: 'NOT_FOUND',
      message: `There is no checkpoint ${id} of this folder.`,
      hint: 'See `fettle checkpoints list`.',
    });
  }
  throw new FettleError({code: 'NOT_UNIQUE', message: `${matches.length} checkpoints begin with ${id}.`, hint: 'Give more of the id.'});
}

async function rewind(
  settings: SessionSettings,
  {target, id}: {target: Checkpoint; id: string | undefined},
  host: RestoreHost,
): Promise<boolean> {
  const to = target.kind === 'turn' ? target.target : target.id;
  const event: ThreadEvent = {
    type: 'thread.rewound',
    thread_id: target.session,
    to,
    checkpoint_id: id ?? '',
  };
  if (host.emit !== undefined) {
    if (host.reaches?.(to) === false) return false;
    host.emit(event);
    return true;
  }
  const session = await openSession(settings.paths.stateDir, target.session);
  try {
    if (!session.history.reaches(to)) return false;
    session.log.append(event);
    await session.log.sync();
    return true;
  } finally {
    session.log.close();
  }
}

function running({session}: Checkpoint): FettleError {
  return new FettleError({
    code: 'UNAVAILABLE',
    message: `Session ${session} is running: it may be changing files right now.`,
    hint: 'Undo in it with /undo, or end it first.',
  });
}
