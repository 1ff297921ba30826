import {createContinuation, type Blocker, type Continuation} from '../../agent/continuation/continuation.ts';
import {handoffMarkdown, resumeCommand} from '../../agent/continuation/handoff.ts';
import {harnessEvent} from '../../agent/continuation/harness-event.ts';
import {createCheckRunner} from '../../agent/continuation/run-check.ts';
import type {ChildRecord} from '../../agent/delegation/child-record.ts';
import {trackerMarkdown} from '../../agent/continuation/tracker.ts';
import type {SessionMemory} from '../../context/memory/session-memory.ts';
import type {Meter} from '../../agent/meter.ts';
import type {Provider} from '../../models/provider.ts';
import type {Mode} from '../../policy/decision.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {Message} from '../../protocol/messages.ts';
import type {DispatcherOptions} from '../../tools/dispatch/dispatch.ts';
import type {TodoList} from '../../tools/ports/todo-list.ts';
import type {SessionSettings} from '../settings/load-settings.ts';
import {markTree} from '../verification/snapshot-tree.ts';
import {taskFiles} from '../verification/task-files.ts';

export interface HarnessParts {
  readonly session: SessionSettings;
  readonly threadId: string;
  /** Nobody is there to ask. */
  readonly isHeadless: boolean;
  readonly readOnly: boolean;
  /** Commands that the person has named to verify the run. */
  readonly verify: readonly string[];
  readonly todos: TodoList;
  readonly memory: Pick<SessionMemory, 'envelope'>;
  readonly mode: () => Mode;
  readonly dispatcher: Omit<DispatcherOptions, 'listener'>;
  readonly emit: (event: ThreadEvent) => void;
  readonly sessionFile: string;
  readonly provider: Provider;
  readonly meter: Meter;
  /** The conversation as the model sees it. */
  readonly messages: () => readonly Message[];
  /** The subagents that the thread has had. */
  readonly agents: Pick<ChildRecord, 'freeId'>;
}

/** The continuation of a thread on its workspace: its commands, its files, its handoff. */
export function openContinuation(parts: HarnessParts, continues: () => boolean): Continuation {
  const {session, dispatcher, emit, todos, verify} = parts;
  const {workspace} = dispatcher.context;
  return createContinuation({
    todos,
    commands: verify,
    continues,
    hasList: dispatcher.toolset.tools.some(({permission}) => permission === 'todo'),
    emit,
    check: createCheckRunner({dispatcher, emit, timeoutMs: session.settings.harness.verify_timeout_s * 1000}),
    markTree: (signal) => markTree(session, workspace.root, signal),
    handOff: (blocker) => handOff(parts, blocker),
  });
}

/** Writes `task.md` and `blocked.md`; returns how to go on. */
export async function handOff(parts: HarnessParts, {outcome, summary, turnId, results}: Blocker): Promise<string | undefined> {
  const {threadId, todos, verify, memory, dispatcher, emit, sessionFile} = parts;
  const {workspace} = dispatcher.context;
  const files = taskFiles(workspace, threadId, dispatcher.secrets);
  const text = handoffMarkdown({
    threadId,
    outcome,
    summary,
    createdAt: new Date(),
    workspace: workspace.root,
    todos: todos.read(),
    results,
    commands: verify,
    paths: [...memory.envelope().touched_files.slice(-MAX_PATHS), sessionFile],
  });
  const go = `Go on with: ${resumeCommand({threadId, commands: verify})}`;
  if (todos.read().length > 0) await files.write('task', trackerMarkdown(todos.read()));
  const problem = await files.write('blocked', text);
  const path = files.pathOf('blocked');
  emit(
    problem === undefined
      ? harnessEvent(turnId, {event: 'blocked_handoff_written', message: `what blocks stands in ${path}`, path})
      : harnessEvent(turnId, {event: 'handoff_failed', message: problem}),
  );
  return go;
}

const MAX_PATHS = 50;
