import type {ThreadPlugin} from './thread-plugin.ts';

/** The plugins of a thread by their concern; a subagent lacks some. */
export interface PluginSlots {
  readonly findings?: ThreadPlugin;
  readonly checkpoints?: ThreadPlugin;
  readonly log: ThreadPlugin;
  readonly resultCache?: ThreadPlugin;
  readonly history: ThreadPlugin;
  readonly delegation?: ThreadPlugin;
  readonly answerSchema?: ThreadPlugin;
  readonly asides?: ThreadPlugin;
  readonly hooks?: ThreadPlugin;
  readonly verification?: ThreadPlugin;
  readonly orchestration?: ThreadPlugin | undefined;
  readonly instructions: ThreadPlugin;
  readonly planReminder?: ThreadPlugin;
  readonly contextWindow: ThreadPlugin;
  readonly calls?: ThreadPlugin;
  readonly hookNotices?: ThreadPlugin;
  readonly embedder?: readonly ThreadPlugin[] | undefined;
  readonly memory: ThreadPlugin;
  readonly traces?: ThreadPlugin;
  readonly host: ThreadPlugin;
  readonly thread?: ThreadPlugin;
}

/**
 * The order of everything, for a thread and for a subagent. Each line is a promise: what precedes the end of a turn is said before it is logged;
 * what is not in the log is not in the history; what the host has shown is in both.
 */
export function inOrder(own: PluginSlots): readonly ThreadPlugin[] {
  return [
    // Events that precede the end of a turn.
    own.findings,
    own.checkpoints,
    // Log, then history, then all others.
    own.log,
    own.resultCache,
    own.history,
    // Whoever may send an answer back, in the order in which they are asked; the outermost of a request.
    own.delegation,
    own.answerSchema,
    own.asides,
    own.hooks,
    own.verification,
    own.orchestration,
    // Additions to a request.
    own.instructions,
    own.planReminder,
    own.contextWindow,
    own.calls,
    own.hookNotices,
    // An embedder's: they see requests as they are built, inside all that is above, and events before any host.
    ...(own.embedder ?? []),
    // Stored or passed on, without secrets.
    own.memory,
    own.traces,
    own.host,
    // Of a subagent: the thread that has started it.
    own.thread,
  ].filter((plugin) => plugin !== undefined);
}
