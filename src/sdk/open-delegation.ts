import {createChildRecord, type ChildRecord} from '../agent/delegation/child-record.ts';
import {createFindingsMerge, type FindingsMerge} from '../agent/delegation/merge-findings.ts';
import {profilesPrompt} from '../agent/delegation/profiles-prompt.ts';
import {createSlots, type Slots} from '../agent/delegation/slots.ts';
import {createInputRecord, type InputRecord} from '../agent/input-record.ts';
import type {ThreadEvent} from '../protocol/events.ts';
import type {SessionSettings} from './load-settings.ts';
import {sessionProfiles, type SessionProfiles} from './session-profiles.ts';

/** What a thread knows of its subagents and its queued inputs before any of them works. */
export interface Delegation {
  readonly session: SessionSettings;
  readonly threadId: string;
  readonly profiles: SessionProfiles['profiles'];
  /** For the end of the system prompt; '' where there is nothing to say. */
  readonly words: string;
  readonly notices: readonly string[];
  readonly record: ChildRecord;
  readonly inputs: InputRecord;
  readonly slots: Slots;
  readonly findings: FindingsMerge;
  /** Takes every event of the thread, the earlier ones of a resumed session first. */
  observe(event: ThreadEvent): void;
  /** Whoever starts subagents says how they are ended with their thread. */
  onEnd(end: () => Promise<void>): void;
  /** Ends the subagents that are busy; before the log of the thread is closed. */
  end(): Promise<void>;
}

/** However many are wanted. */
const HARD_LIMIT = 5;

/** Reads the profiles, and takes away what a process that died left behind. Nothing of subagents is loaded before the first one is started. */
export async function openDelegation(session: SessionSettings, threadId: string): Promise<Delegation> {
  const [{profiles, own, problems}] = await Promise.all([sessionProfiles(session), sweep(session)]);
  const record = createChildRecord();
  const inputs = createInputRecord();
  const ends: (() => Promise<void>)[] = [];
  return {
    session,
    threadId,
    profiles,
    words: profilesPrompt(own),
    notices: problems,
    record,
    inputs,
    slots: createSlots(Math.min(session.settings.subagents.max_concurrent, HARD_LIMIT)),
    findings: createFindingsMerge(threadId, record),
    observe(event) {
      record.observe(event);
      inputs.observe(event);
    },
    onEnd: (end) => void ends.push(end),
    async end() {
      await Promise.all(ends.map((end) => end()));
    },
  };
}

async function sweep(session: SessionSettings): Promise<void> {
  const {hasWorktrees} = await import('./worktree-place.ts');
  if (!hasWorktrees(session.paths.stateDir)) return;
  const {sweepWorktrees} = await import('./worktree.ts');
  await sweepWorktrees(session);
}
