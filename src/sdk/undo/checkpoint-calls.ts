import {relative, sep} from 'node:path';
import {FettleError, toFettleError} from '../../base/errors.ts';
import {createRedactor} from '../../base/redact.ts';
import type {Subject} from '../../policy/decision.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import {sessionsInUse} from '../../sessions/session-files.ts';
import type {SideEffect} from '../../protocol/side-effect.ts';
import type {CallCheckpoint, DispatcherOptions} from '../../tools/dispatch/dispatch.ts';
import type {Checkpointer, Effect} from '../../workspace/checkpoints/checkpointer.ts';
import type {SessionSettings} from '../settings/session-settings.ts';

/** Saves the state before the changes of a thread, turn by turn. Nothing is loaded or written before the first change. */
export interface CheckpointCalls {
  /** The checkpoint for the dispatcher; undefined if nothing is saved. */
  readonly checkpoint: CallCheckpoint | undefined;
  /** Takes every event, and returns the events that precede it: the checkpoint of a turn is reported before its end. */
  before(event: ThreadEvent): readonly ThreadEvent[];
}

export function keepChanges(session: SessionSettings, threadId: string, tools: KeptTools): CheckpointCalls {
  const {keep} = session.settings.checkpoints;
  if (keep === 'off') return {checkpoint: undefined, before: () => []};
  const {root} = tools.workspace;
  let opening: Promise<Checkpointer> | undefined;
  let opened: Checkpointer | undefined;
  let turn = {id: '', title: ''};
  const open = async (): Promise<Checkpointer> => {
    opened = await (opening ??= openCheckpointer({session, threadId, root, isBusy: () => isBusy(tools)}));
    opened.beginTurn(turn);
    return opened;
  };
  /** While a command runs, or where one has run since the last look, the tree may change without this call. */
  const mayHaveChanged = (): boolean => {
    opened?.beginTurn(turn);
    return isBusy(tools) || opened?.isBehind() === true;
  };
  return {
    async checkpoint({sideEffect, subjects, changesNothing}, signal) {
      if (changesNothing && !mayHaveChanged()) return undefined;
      const {paths, outside} = effectOf({sideEffect, subjects}, root);
      if (paths === undefined && outside.length === 0) return undefined;
      const checkpointer = await open();
      for (const path of outside) checkpointer.note(`${path} is outside the workspace: a change of it is not undone.`);
      if (paths === undefined) return undefined;
      try {
        const pending = await checkpointer.before({paths}, signal);
        return () => pending.finish().catch((error: unknown) => checkpointer.note(notKnown(error)));
      } catch (error) {
        if (signal.aborted) throw error;
        if (keep === 'required') throw notDone(error);
        checkpointer.note(notKept(error));
        return undefined;
      }
    },
    before(event) {
      turn = turnAfter(turn, event);
      const ending = event.type === 'turn.completed' || event.type === 'turn.failed' ? endOfTurn(opened, event) : undefined;
      return ending === undefined ? [] : [ending];
    },
  };
}

interface KeptTools {
  readonly workspace: {readonly root: string};
  readonly dispatcher: {readonly context: Pick<DispatcherOptions['context'], 'sessions'>};
}

/** True while an earlier command still runs. */
function isBusy({dispatcher}: KeptTools): boolean {
  return (dispatcher.context.sessions?.list() ?? []).some((command) => command.ended() === undefined);
}

interface KeptTurn {
  readonly id: string;
  /** The task, as the title of checkpoints. */
  readonly title: string;
}

function turnAfter(turn: KeptTurn, event: ThreadEvent): KeptTurn {
  if (event.type === 'turn.started') return {id: event.turn_id, title: ''};
  if (turn.title !== '' || event.type !== 'item.completed' || event.item.type !== 'user_message') return turn;
  // The list of checkpoints is stored and shown: a title must not contain a key from the task, not even the beginning of one.
  return {...turn, title: titleRedactor.text(event.item.text.slice(0, 10 * TITLE_CHARS)).slice(0, TITLE_CHARS)};
}

const TITLE_CHARS = 200;
const titleRedactor = createRedactor({shapes: true});

function endOfTurn(
  checkpointer: Checkpointer | undefined,
  {thread_id, turn_id}: {thread_id: string; turn_id: string},
): ThreadEvent | undefined {
  const common = {type: 'checkpoint.completed', thread_id, turn_id} as const;
  try {
    const summary = checkpointer?.endTurn();
    if (summary === undefined) return undefined;
    const id = summary.id === '' ? {} : {checkpoint_id: summary.id};
    return {...common, ...id, changed: summary.changed.length, notes: [...summary.notes]};
  } catch (error) {
    return {...common, changed: 0, notes: [notKept(error)]};
  }
}

interface OpenOptions {
  readonly session: SessionSettings;
  readonly threadId: string;
  readonly root: string;
  readonly isBusy: () => boolean;
}

async function openCheckpointer({session, threadId, root, isBusy: busy}: OpenOptions): Promise<Checkpointer> {
  const [{createCheckpointer}, {checkpointPlace, tidyPlace, withPlace}, {isPruneDue, prune}] = await Promise.all([
    import('../../workspace/checkpoints/checkpointer.ts'),
    import('./checkpoint-place.ts'),
    import('../../workspace/checkpoints/prune.ts'),
  ]);
  const at = checkpointPlace(session, root, threadId);
  const checkpointer = createCheckpointer({
    place: at.place,
    session: threadId,
    limits: at.limits,
    ignored: session.settings.checkpoints.ignored,
    env: session.env,
    commandsUncovered: holdsHome(root, session.home) ? 'the workspace holds the home folder; start in a project' : undefined,
    isBusy: busy,
  });
  try {
    await tidyPlace(at, session);
    const due = {maxBytes: at.limits.maxBytes, now: Date.now()};
    if (isPruneDue(at.place, due)) {
      const {dropped} = await withPlace(at, PRUNE_TIMEOUT_MS, async () => {
        // Asked one by one, each of thousands of checkpoints would list all sessions.
        const active = sessionsInUse(session.paths.stateDir);
        return prune(at.place, {...due, maxAgeMs: at.maxAgeMs, isActive: (id) => id !== threadId && active.has(id)});
      });
      if (dropped.length > 0)
        checkpointer.note(`${dropped.length} old checkpoints were dropped (checkpoints.max_mb, checkpoints.max_days).`);
    }
  } catch (error) {
    checkpointer.note(`Earlier checkpoints could not be looked through: ${toFettleError(error).message}`);
  }
  return checkpointer;
}

const PRUNE_TIMEOUT_MS = 2000;

interface CallEffect {
  /** undefined: nothing that is saved. */
  readonly paths: Effect['paths'] | undefined;
  readonly outside: readonly string[];
}

/** A file tool names the files it writes; for any other change the whole tree is scanned. */
function effectOf({sideEffect, subjects}: {sideEffect: SideEffect; subjects: readonly Subject[]}, root: string): CallEffect {
  if (sideEffect !== 'write' && sideEffect !== 'execute') return {paths: undefined, outside: []};
  const written = subjects.flatMap((subject) => (subject.kind === 'path' && subject.write ? [subject] : []));
  if (sideEffect === 'execute' || written.length === 0) return {paths: 'tree', outside: []};
  const inside = written.filter((subject) => subject.inside);
  return {
    paths: inside.length === 0 ? undefined : inside.map(({path}) => bytePathBelow(root, path)),
    outside: written.filter((subject) => !subject.inside).map(({path}) => path),
  };
}

/** Returns the path as the store names it: one character for each byte. */
function bytePathBelow(root: string, path: string): string {
  return Buffer.from(relative(root, path).split(sep).join('/')).toString('latin1');
}

/** True for a folder that holds a home folder: undo for a whole home folder would copy it (opencode #9601, #20442). */
function holdsHome(root: string, home: string): boolean {
  const from = relative(root, home);
  return from === '' || !from.startsWith('..');
}

function notKept(error: unknown): string {
  return `A change cannot be undone: ${toFettleError(error).message}`;
}

function notKnown(error: unknown): string {
  return `What a call changed is not known for certain: ${toFettleError(error).message}`;
}

function notDone(cause: unknown): FettleError {
  return new FettleError({
    code: 'IO',
    message: `Not done, because it could not be undone: ${toFettleError(cause).message}`,
    hint: 'Free some disk space, or set checkpoints.keep to "on".',
    cause,
  });
}
