import type {ModelRequest, Provider} from '../../models/provider.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {ToolSchema} from '../../protocol/messages.ts';
import type {Dispatcher, DispatchListener} from '../../tools/dispatch/dispatch.ts';
import type {InputRecord} from '../input-record.ts';
import {createMeter, type Meter} from '../meter.ts';
import {createThread, type Thread, type ThreadOptions} from '../thread.ts';
import {createToolCalls} from '../tool-calls.ts';
import {REPORT_FORM} from './findings.ts';
import type {SubagentProfile} from './profile.ts';

export interface SubagentTools {
  readonly schemas: readonly ToolSchema[];
  createDispatcher(listener: DispatchListener): Dispatcher;
}

export interface ChildThreadOptions {
  readonly threadId: string;
  readonly profile: SubagentProfile;
  readonly provider: Provider;
  /** The folder that the subagent works in, absolute. */
  readonly folder: string;
  /** The instructions of the thread, for every request: a subagent follows them, too. */
  readonly instructions?: string;
  /** The meter of the parent thread, where the usage counts, too. */
  readonly meter: Meter;
  readonly now: () => number;
  /** At most the limits of the profile. */
  readonly limits?: {readonly maxTurns?: number | undefined; readonly maxToolCalls?: number | undefined} | undefined;
  readonly tools: SubagentTools;
  /** Called with the subjects of its calls. */
  readonly onSubjects?: DispatchListener['onSubjects'];
  readonly emit: (event: ThreadEvent) => void;
  /** Builds the requests of the conversation, and shortens it when needed. */
  readonly keep: (parts: {
    readonly frame: Omit<ModelRequest, 'messages'>;
    readonly meter: Meter;
  }) => Pick<ThreadOptions, 'request' | 'makeRoom'>;
  readonly inputs?: InputRecord | undefined;
  readonly openAttempt?: ThreadOptions['openAttempt'];
  readonly started: Pick<ThreadOptions['started'], 'toolset' | 'fettle_version' | 'resumed' | 'parent_thread_id'>;
}

/**
 * Creates a subagent: the same loop as every thread (vibe tool system › Task Tool), with a conversation, a
 * dispatcher and limits of its own, and the remaining budget of the parent thread. The caller limits its time by
 * cancelling it.
 */
export function createChildThread(options: ChildThreadOptions): Thread {
  const {threadId, profile, provider, folder, instructions = '', now, limits = {}, tools, onSubjects, emit} = options;
  const meter = createMeter({
    limits: {
      maxTurns: Math.min(limits.maxTurns ?? Infinity, profile.maxTurns),
      maxToolCalls: Math.min(limits.maxToolCalls ?? Infinity, profile.maxToolCalls),
      maxTokens: profile.maxTokens,
      maxCostUsd: profile.maxCostUsd,
    },
    now,
    parent: options.meter,
  });
  const system = [profile.prompt, REPORT_FORM, instructions, `Folder: ${folder}`].filter((part) => part !== '').join('\n\n');
  const frame = {system, tools: tools.schemas, cacheKey: threadId};
  return createThread({
    threadId,
    provider,
    meter,
    emit,
    now,
    ...options.keep({frame, meter}),
    runTools: createToolCalls({emit, createDispatcher: ({listener}) => tools.createDispatcher({...listener, onSubjects})}).run,
    endJudges: [],
    inputs: options.inputs,
    openAttempt: options.openAttempt,
    started: {...options.started, cwd: folder, model: provider.model, agent: profile.name},
  });
}
