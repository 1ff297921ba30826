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

/** The subagents and queued inputs of a thread, before any subagent is started. */
export interface Delegation {
  readonly session: SessionSettings;
  readonly threadId: string;
  /** Tools and options that a program hands in. Subagents with tools of their own get them, too. */
  readonly handedIn: HandedIn;
  readonly profiles: SessionProfiles['profiles'];
  /** For the end of the system prompt; '' if there is nothing to say. */
  readonly words: string;
  readonly notices: readonly string[];
  readonly record: ChildRecord;
  readonly inputs: InputRecord;
  readonly slots: Slots;
  readonly findings: FindingsMerge;
  /** The requests of the thread and of its subagents. */
  readonly requests: OpenRequests;
  readonly tasks: RunningTasks;
  /** Takes every event of the thread, the earlier ones of a resumed session first. */
  observe(event: ThreadEvent): void;
  /** Connects the part that starts subagents: it knows which of them work, and ends them with their thread. */
  attach(children: AttachedChildren): void;
  /** Sends an answer back, once, while subagents that nothing waits for still work: in a run without a person, they would end with it. */
  readonly judge: EndJudge;
  /** Ends one working subagent, and nothing else. Returns false if it is not working. */
  cancel(agentId: string): Promise<boolean>;
  /** Makes the end of the thread wait for this promise: an abandoned agent may still have something to write. */
  tracked<T>(running: Promise<T>): Promise<T>;
  /** Ends the busy subagents. Called before the log of the thread is closed. */
  end(): Promise<void>;
}

type AttachedChildren = Pick<Children, 'busy' | 'close' | 'end'>;

function stillBusy(ids: readonly string[]): string {
  const verb = ids.length === 1 ? 'works' : 'work';
  return `${ids.join(', ')} still ${verb}, and would be ended with your answer. Wait for them (agents wait) or close them, then answer again.`;
}

/** Applies however many are requested. */
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
  // Most threads have never had a subagent; nothing is loaded for them.
  if (!existsSync(join(session.paths.stateDir, 'worktrees'))) return;
  const {sweepWorktrees} = await import('./worktree.ts');
  await sweepWorktrees(session);
}
