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
 * Returns the plugins in their order, for a thread and for a subagent. Each line is a promise: events that
 * precede the end of a turn are emitted before it is logged; an event that is not in the log is not in the
 * history; an event that the host has shown is in both.
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
    // Plugins that may send an answer back, in the order in which they are asked. They are also the outermost around a request.
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
    // Plugins of an embedder: they see requests inside everything above, and events before any host.
    ...(own.embedder ?? []),
    // Plugins that store events or pass them on, without secrets.
    own.memory,
    own.traces,
    own.host,
    // For a subagent: the thread that has started it.
    own.thread,
  ].filter((plugin) => plugin !== undefined);
}
