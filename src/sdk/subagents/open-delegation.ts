import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {Children} from '../../agent/delegation/children.ts';
import {createChildRecord, type ChildRecord} from '../../agent/delegation/child-record.ts';
import {createFindingsMerge, type FindingsMerge} from '../../agent/delegation/merge-findings.ts';
import type {RunningTasks} from '../../agent/delegation/task-runner.ts';
import {profilesPrompt} from '../../agent/delegation/profiles-prompt.ts';
import {createSlots, type Slots} from '../../agent/delegation/slots.ts';
import {createInputRecord, type InputRecord} from '../../agent/input-record.ts';
import {createOpenRequests, type OpenRequests} from '../../agent/open-requests.ts';
import type {EndJudge} from '../../agent/turn-end.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import {sessionProfiles, type SessionProfiles} from '../settings/session-profiles.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import type {HandedIn} from '../tools/session-toolset.ts';

/** The subagents and queued inputs of a thread, before any of them works. */
export interface Delegation {
  readonly session: SessionSettings;
  readonly threadId: string;
  /** Tools and their options that a program hands in: subagents with tools of their own have them, too. */
  readonly handedIn: HandedIn;
  readonly profiles: SessionProfiles['profiles'];
  /** For the end of the system prompt; '' if there is nothing to say. */
  readonly words: string;
  readonly notices: readonly string[];
  readonly record: ChildRecord;
  readonly inputs: InputRecord;
  readonly slots: Slots;
  readonly findings: FindingsMerge;
  /** Those of the thread and of its subagents. */
  readonly requests: OpenRequests;
  readonly tasks: RunningTasks;
  /** Takes every event of the thread, the earlier ones of a resumed session first. */
  observe(event: ThreadEvent): void;
  /** Whoever starts subagents says which of them work, and how they are ended with their thread. */
  attach(children: AttachedChildren): void;
  /** Sends an answer back, once, while unawaited subagents work: if nobody is there, they would end with it. */
  readonly judge: EndJudge;
  /** Ends one subagent that works, and nothing else; false if it does not work. */
  cancel(agentId: string): Promise<boolean>;
  /** Waits for it at the end: an abandoned agent may still have something to write. */
  tracked<T>(running: Promise<T>): Promise<T>;
  /** Ends the subagents that are busy; before the log of the thread is closed. */
  end(): Promise<void>;
}

type AttachedChildren = Pick<Children, 'busy' | 'close' | 'end'>;

function stillBusy(ids: readonly string[]): string {
  const verb = ids.length === 1 ? 'works' : 'work';
  return `${ids.join(', ')} still ${verb}, and would be ended with your answer. Wait for them (agents wait) or close them, then answer again.`;
}

/** However many are wanted. */
const HARD_LIMIT = 5;

/** Reads the profiles, and removes what a dead process left behind. No code of subagents is loaded before the first one is started. */
export async function openDelegation(session: SessionSettings, threadId: string, {toolOptions, tools}: HandedIn = {}): Promise<Delegation> {
  const [{profiles, own, problems}] = await Promise.all([sessionProfiles(session), sweep(session)]);
  const record = createChildRecord();
  const inputs = createInputRecord();
  let children: AttachedChildren | undefined;
  const tasks: RunningTasks = new Map();
  const running = new Set<Promise<unknown>>();
  return {
    session,
    threadId,
    handedIn: {toolOptions, tools},
    profiles,
    words: profilesPrompt(own),
    notices: problems,
    record,
    inputs,
    slots: createSlots(Math.min(session.settings.subagents.max_concurrent, HARD_LIMIT)),
    findings: createFindingsMerge(threadId, record),
    requests: createOpenRequests(),
    tasks,
    observe(event) {
      record.observe(event);
      inputs.observe(event);
    },
    attach: (started) => void (children = started),
    async judge({rejections}) {
      const busy = children?.busy() ?? [];
      return busy.length === 0 || rejections > 0 ? undefined : {feedback: stillBusy(busy)};
    },
    async cancel(id) {
      tasks.get(id)?.();
      if (tasks.has(id)) return true;
      if (children?.busy().includes(id) !== true) return false;
      await children.close(id);
      return true;
    },
    tracked(task) {
      running.add(task);
      const over = (): void => void running.delete(task);
      task.then(over, over);
      return task;
    },
    async end() {
      await Promise.allSettled(running);
      await children?.end();
    },
  };
}

async function sweep(session: SessionSettings): Promise<void> {
  // Most have never had one; then nothing is loaded.
  if (!existsSync(join(session.paths.stateDir, 'worktrees'))) return;
  const {sweepWorktrees} = await import('./worktree.ts');
  await sweepWorktrees(session);
}
