import type {Mode} from '../../../policy/decision.ts';
import {sandboxProfile} from '../../../sdk/tools/open-command-sandbox.ts';
import type {SessionInfo} from '../host-adapter.ts';
import type {Conversation} from './conversation.ts';
import {gitBranch} from './git-branch.ts';
import {modesOf} from './permission-modes.ts';

/** Returns the facts about a conversation for the status line. */
export function infoOf({thread, settings, facts}: Conversation): SessionInfo {
  return {
    model: thread.model,
    modelReason: thread.modelReason,
    toolReasons: thread.toolReasons,
    mode: thread.mode(),
    sandbox: sandboxProfile(settings),
    branch: gitBranch(settings.cwd),
    title: facts.title,
    contextTokens: facts.contextTokens,
    contextWindow: thread.window.tokens,
    costUsd: facts.costUsd,
    sessionId: thread.id,
  };
}

/** Puts the conversation into the next of its modes. */
export function nextMode({thread, settings}: Conversation): Mode {
  const modes = modesOf(settings);
  const next = modes[(modes.indexOf(thread.mode()) + 1) % modes.length] ?? 'ask';
  thread.setMode(next);
  return next;
}
