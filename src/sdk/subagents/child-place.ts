import {join} from 'node:path';
import type {SubagentTools} from '../../agent/delegation/child-thread.ts';
import type {ChildOrder} from '../../agent/delegation/live-child.ts';
import type {Provider} from '../../models/provider.ts';
import type {Subject} from '../../policy/decision.ts';
import {recallFrom} from '../sessions/recall-from-log.ts';
import {type OwnTools, subagentTools} from './subagent-tools.ts';
import type {SubagentsOptions} from './subagents-options.ts';
import type {Worktree} from './worktree.ts';

/** The folder and the tools of a subagent. */
export interface Place {
  readonly folder: string;
  readonly tools: OwnTools;
  /** The same in the original project, whose instructions apply to the copy. */
  inProject(subject: Subject): Subject;
  close(): Promise<void>;
}

/** Opens the folder of the thread, or a copy of the repository, with the tools of the profile. */
export async function openPlace(options: SubagentsOptions, {profile, threadId}: ChildOrder, provider: Provider): Promise<Place> {
  const {dispatcher, folder, delegation} = options;
  if (profile.isolation === undefined) {
    const tools = await subagentTools(profile, provider, dispatcher);
    return {folder, tools, inProject: (subject) => subject, close: async () => undefined};
  }
  const {openWorktree} = await import('./worktree.ts');
  const worktree = await openWorktree(delegation.session, {folder, childThreadId: threadId});
  try {
    return await placeIn(worktree, {options, profile, provider, threadId});
  } catch (error) {
    await worktree.close();
    throw error;
  }
}

/** Opens tools for the copy, with the rules, approvals and hooks of the thread. Changes in the copy are not undone, but merged or discarded. */
async function placeIn(
  worktree: Worktree,
  {
    options: {dispatcher, delegation},
    profile,
    provider,
    threadId,
  }: {options: SubagentsOptions; provider: Provider} & Pick<ChildOrder, 'profile' | 'threadId'>,
): Promise<Place> {
  const {openTools} = await import('../tools/open-tools.ts');
  const {session, handedIn} = delegation;
  const spoolDir = join(session.paths.stateDir, 'spool', threadId);
  const opened = await openTools({session: {...session, cwd: worktree.folder}, spoolDir, ...handedIn});
  const own = {...dispatcher, toolset: opened.toolset, context: opened.dispatcher.context, spoolDir, checkpoint: undefined};
  return {
    folder: opened.workspace.root,
    tools: await subagentTools(profile, provider, own),
    inProject: (subject) => (subject.kind === 'path' ? {...subject, path: worktree.original(subject.path)} : subject),
    async close() {
      await opened.endJobs();
      await worktree.close();
    },
  };
}

/** Lets a subagent find in its own log the full form of shortened texts. */
export function withRecall(tools: OwnTools, sessionFile: string): SubagentTools {
  return {...tools, createDispatcher: (listener) => tools.createDispatcher(listener, {recall: recallFrom(sessionFile)})};
}
