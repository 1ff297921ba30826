import type {Blocker} from '../../agent/continuation/continuation-options.ts';
import {type Continuation, createContinuation} from '../../agent/continuation/continuation.ts';
import {handoffMarkdown, resumeCommand} from '../../agent/continuation/handoff.ts';
import {harnessEvent} from '../../agent/continuation/harness-event.ts';
import {createCheckRunner} from '../../agent/continuation/run-check.ts';
import {trackerMarkdown} from '../../agent/continuation/open-items.ts';
import {snapshotTree} from '../verification/snapshot-tree.ts';
import {taskFiles} from '../verification/task-files.ts';
import type {HarnessParts} from './harness-parts.ts';

/** Opens the continuation of a thread in its workspace: its commands, its files, its handoff. */
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
    snapshotTree: (signal) => snapshotTree(session, workspace.root, signal),
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
      ? harnessEvent(turnId, {event: 'blocked_handoff_written', message: `what blocks it is in ${path}`, path})
      : harnessEvent(turnId, {event: 'handoff_failed', message: problem}),
  );
  return go;
}

const MAX_PATHS = 50;
