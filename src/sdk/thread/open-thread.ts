import type {RunResult, Thread} from '../../agent/thread.ts';
import type {CompactionReport} from '../../context/compaction/compaction.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {KeptCommand} from '../../tools/shells/command-sessions.ts';
import type {RestoreHost, RestoreReport, RestoreRequest} from '../undo/checkpoints.ts';
import {createAsides} from './asides.ts';
import {THREAD_ARGUMENTS} from '../arguments/thread-arguments.ts';
import {assertArguments} from '../arguments/check-arguments.ts';
import {createLiveCommands, type LiveCommands} from '../live/live-commands.ts';
import {personAsides} from '../live/person-asides.ts';
import {closeParts} from './close-parts.ts';
import {closePlugins} from '../plugins/fold-plugins.ts';
import {createOneRun} from './single-run.ts';
import type {Mentions} from '../mentions/open-mentions.ts';
import {notesOnLogprobs} from '../model/logprobs-notices.ts';
import {notesOnPrice} from '../model/price-notices.ts';
import type {Harness} from './end-conditions.ts';
import {openCommands, type TypedCommands} from '../tools/open-commands.ts';
import {sandboxNotices} from '../tools/open-command-sandbox.ts';
import {learnEnding, withChosenModel, withChosenTools, type ChosenOptions} from '../optimization/with-choices.ts';
import {openParts, type ThreadParts} from './thread-parts.ts';
import {userActions, type UserActions} from './user-actions.ts';
import {threadAgents, type ThreadAgents} from './thread-agents.ts';
import {threadViews, type ThreadViews} from './thread-views.ts';
import {windowNotes, withWindow} from '../model/apply-model-window.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import {withSession} from './thread-session.ts';
import type {OpenThreadRequest} from './thread-options.ts';
import {wireThread} from './wire-thread.ts';

/** A thread with everything it needs. `close` must be called: it ends the session log. */
export interface OpenedThread extends Omit<Thread, 'begin'>, UserActions, ThreadAgents, ThreadViews {
  /** Shortens the conversation now; between turns only. */
  compact(instructions: string | undefined, signal: AbortSignal): Promise<CompactionReport>;
  readonly notes: readonly string[];
  /** Restores the state before a turn of this thread; between turns only. See `restoreTo`. */
  restore(request: RestoreRequest): Promise<RestoreReport>;
  /** Commands that can be typed after a slash: custom commands, skills, prompts of MCP servers. */
  readonly commands: TypedCommands;
  /** Background commands: their output, live, and actions of a person on them. */
  readonly live: LiveCommands;
  /** Items that a message can mention besides files: symbols, and resources of MCP servers. */
  readonly mentions: Mentions;
  /** The file of the session log. */
  readonly sessionFile: string;
  /** Returns notices that came up after opening; complete when the thread is closed. */
  lateNotes(): readonly string[];
  /** Closes the thread, and cancels an open run first. Returns the commands that keep running. A second call does nothing, and returns the same. */
  close(result?: RunResult): Promise<readonly KeptCommand[]>;
}

/**
 * Opens a new or an earlier conversation, for settings that were loaded or for a folder. Throws CONFIG, NOT_FOUND (no such session),
 * UNAVAILABLE (another process writes it), BAD_ARGS (a value that is handed in is not a tool).
 */
export async function openThread(request: OpenThreadRequest, signal: AbortSignal): Promise<OpenedThread> {
  const options = await withChosenTools(await checked(await withChosenModel(await withSession(request))));
  const parts = await openParts(options, signal);
  const {threadId, tools, session, history, delegation} = parts;
  let isUsed = options.resume !== undefined;
  const onEvent = (event: ThreadEvent): void => {
    isUsed ||= event.type === 'turn.started' || event.type === 'input.queued';
    options.onEvent?.(event);
  };
  const {sessions} = tools.dispatcher.context;
  const asides = createAsides(() => personAsides(sessions));
  const {thread: wired, plugins, contextWindow, harness, modes, mentions} = wireThread({...options, onEvent, asides}, parts);
  const {begin, ...thread} = wired;
  const lateNotes: string[] = [];
  const calls = createOneRun();
  return {
    ...thread,
    lateNotes: () => lateNotes,
    async run(prompt, stop) {
      check('run', prompt, stop);
      return await calls.run((stopped) => harness.run(() => thread.run(prompt, stopped), stopped), stop);
    },
    steer(text, id) {
      check('steer', text, id);
      calls.assertOpen();
      return thread.steer(text, id);
    },
    followUp(text, id) {
      check('followUp', text, id);
      calls.assertOpen();
      return thread.followUp(text, id);
    },
    ...userActions({modes, begin, asides, tools, harness, calls}),
    ...threadAgents({delegation, calls}),
    ...threadViews({resume: options.resume, window: options.session.window, choices: options.choices}, parts),
    async compact(wish, stop) {
      check('compact', wish, stop);
      return await calls.between('compact', () => contextWindow.compact({trigger: 'manual', instructions: wish}, stop));
    },
    notes: [...(await notesOnPrice(options.session)), ...(await notesOnLogprobs(options.session)), ...notesOf(options, parts)],
    async restore(request) {
      check('restore', request);
      const host = {own: threadId, emit: parts.bus.emit, reaches: history.reaches, changed: harness.changed};
      return await calls.between('restore', () => restoreIn(options.session, request, host));
    },
    mentions,
    commands: openCommands({...tools, session: options.session, reserved: options.reservedCommands}),
    live: createLiveCommands({sessions, secrets: tools.dispatcher.secrets, onAct: harness.changed}),
    sessionFile: session.file,
    close: (result) =>
      calls.close(async () => {
        const thrown = await closePlugins(plugins, result);
        thread.finish(result);
        const {kept, late} = await closeParts(options, parts, isUsed);
        lateNotes.push(...late, ...(isUsed ? await learnEnding(options, threadId) : []));
        if (thrown.length > 0) throw thrown[0];
        return kept;
      }),
  };
}

/** Adds the window of the model, on which the tools depend. Throws if a check cannot be run. */
async function checked(options: ChosenOptions): Promise<ChosenOptions & {readonly session: Awaited<ReturnType<typeof withWindow>>}> {
  if (options.verify !== undefined) await (await import('../arguments/check-options.ts')).assertChecksRun(options.verify);
  return {...options, session: await withWindow(options.session)};
}

function notesOf({session, readOnly, choices}: ChosenOptions, parts: ThreadParts): readonly string[] {
  const {notes, tools, instructions, delegation, hooks, traces} = parts;
  const own = [...choices.notices, ...sandboxNotices(session, readOnly), ...windowNotes(session)];
  return [own, notes, tools.notices, instructions.notices, delegation.notices, hooks.notices, traces.notices].flat();
}

function check(name: keyof typeof THREAD_ARGUMENTS, ...args: readonly unknown[]): void {
  assertArguments(`thread.${name}`, THREAD_ARGUMENTS[name], args);
}

type ThreadRestoring = RestoreHost & Pick<Harness, 'changed'>;

async function restoreIn(session: SessionSettings, request: RestoreRequest, {changed, ...host}: ThreadRestoring): Promise<RestoreReport> {
  const {restoreTo} = await import('../undo/checkpoints.ts');
  const report = await restoreTo(session, request, host);
  if (report.restored.length > 0) changed();
  return report;
}
