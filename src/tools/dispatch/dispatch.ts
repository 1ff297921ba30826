import type {Decision, Policy, Subject} from '../../policy/decision.ts';
import type {ToolOutcome} from '../../protocol/items.ts';
import type {SideEffect} from '../../protocol/side-effect.ts';
import type {DiffHunk} from '../../text/diff/hunks.ts';
import type {ToolContext} from '../context.ts';
import type {OneAtATime} from '../mutex.ts';
import type {ToolItem} from '../stream-event.ts';
import type {ResultCache} from './result-cache.ts';
import type {FileChange, Toolset} from '../toolset.ts';
import type {Verifier} from './verifier.ts';

/** A call as a model wrote it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, possibly broken. */
  readonly arguments: string;
}

/** The only way from a call to its result. Neither function throws or rejects: every error becomes a result. */
export interface Dispatcher {
  dispatch(call: ToolCall, signal: AbortSignal): Promise<DispatchResult>;
  /**
   * Runs all calls of one model reply and returns the results in call order: reads at the same time (at most 8),
   * writes of different files at the same time, commands alone. Verifiers run once, after the last write.
   */
  dispatchAll(calls: readonly ToolCall[], signal: AbortSignal): Promise<readonly DispatchResult[]>;
}

export interface DispatchResult {
  readonly callId: string;
  /** The published name that the call was resolved to; an unknown name is unchanged. */
  readonly toolName: string;
  /** Equal for equivalent calls, in whatever form they were written; absent: the call was not made here. */
  readonly key?: string | undefined;
  readonly sideEffect: SideEffect;
  /** True if the call may wait for something that goes on without the model (`loop-guard.ts`). */
  readonly mayWait?: boolean | undefined;
  /** `loop`: the identical-call guard did not let it run; the agent ends the run. */
  readonly outcome: ToolOutcome;
  /** The text for the model: bounded, redacted, never empty. */
  readonly text: string;
  /** A line for people. */
  readonly summary: string;
  /** For programs: the operation's result, or `{code, message, hint}` of the error. */
  readonly structured: unknown;
  readonly isError: boolean;
  readonly changes: readonly FileChange[];
  /** Path of the full output, if `text` is shortened. */
  readonly spoolPath?: string | undefined;
  readonly command?: {readonly line: string; readonly exitCode: number | null} | undefined;
  /** Repairs of the arguments before they were understood; the model only sees those that changed their meaning. */
  readonly repairs: readonly string[];
  /** Notes for the model besides the result; `text` contains them, too. */
  readonly notes: readonly string[];
  readonly durationMs: number;
  /** True if this is the result of an earlier call with the same `cacheKey`: nothing was run. */
  readonly fromCache?: true;
}

/** Callbacks for hosts while calls run. They must not throw. */
export interface DispatchListener {
  onStart?(call: StartedCall): void;
  /** Called with the subjects of a call that may run; also for nested calls. */
  onSubjects?(subjects: readonly Subject[]): void;
  onOutput?(output: {readonly callId: string; readonly stream: 'stdout' | 'stderr' | 'progress'; readonly text: string}): void;
  /** Called with items to emit besides the call: a task list, an action in the editor. */
  onItem?(item: {readonly callId: string; readonly item: ToolItem['item']}): void;
  onPermissionRequested?(request: ApprovalRequest): void;
  /** Called for every decision, except for reads that are allowed without a question. */
  onPermissionResolved?(resolved: ResolvedPermission): void;
  /** Called in the order of the calls. */
  onResult?(result: DispatchResult): void;
}

export interface StartedCall {
  readonly callId: string;
  readonly toolName: string;
  readonly sideEffect: SideEffect;
  /** The input after repair and hooks. */
  readonly input: unknown;
}

/** A request for approval by a person. */
export interface ApprovalRequest {
  readonly callId: string;
  readonly toolName: string;
  readonly subjects: readonly Subject[];
  readonly input: unknown;
  readonly decision: Decision;
  /** The subagent that asks; absent: the thread itself. */
  readonly agent?: string | undefined;
  /** Evaluates the call with additional allow rules, for rules that a person writes. Throws CONFIG for a rule that cannot be parsed. */
  decidedWith?(rules: readonly string[]): Promise<Decision>;
  /**
   * Returns the files that the call would write, without writing them. Empty if that is not known in advance, or if the call would fail. The
   * files are read once: a second call returns the same.
   */
  preview?(): Promise<readonly FilePreview[]>;
}

/** A text file before and after a call. */
export interface FilePreview {
  /** The path as shown to people: relative to the workspace, absolute outside. */
  readonly path: string;
  /** Absent for a file that is created. */
  readonly before?: string | undefined;
  /** Absent for a file that is deleted. */
  readonly after?: string | undefined;
  /** The changes that can be allowed one by one; absent: the call is allowed as a whole or not at all. */
  readonly hunks?: readonly DiffHunk[] | undefined;
}

/** One of the changes that a preview showed. */
export interface HunkPlace {
  /** Index of the file in the preview. */
  readonly file: number;
  /** Index in its `hunks`. */
  readonly hunk: number;
}

export interface ApprovalAnswer {
  readonly decision: 'allow' | 'deny' | 'cancelled';
  /** The person's comment for the model on a call that is denied or partly allowed. */
  readonly feedback?: string | undefined;
  /**
   * For an allowed call: the changes of its preview to make; an empty list is a denial. The model learns which were left out. The call fails
   * with STALE if a file has changed since the preview. Absent: the whole call runs.
   */
  readonly hunks?: readonly HunkPlace[] | undefined;
}

export interface ResolvedPermission {
  readonly callId: string;
  readonly toolName: string;
  readonly decision: 'allow' | 'deny' | 'cancelled';
  /** True if only some of the changes were allowed. */
  readonly partial?: true | undefined;
  /** `mode:<name>`, `rule:<text>`, `default`, `person`, `headless`, `hook`. */
  readonly decidedBy: string;
  readonly rule?: string | undefined;
  readonly waitMs: number;
  /** Rules that together would have allowed a denied call, if any could. */
  readonly allowRules?: readonly string[] | undefined;
  /** The strictest mode that would have allowed the call, if one would. */
  readonly allowMode?: string | undefined;
}

export interface HookCall {
  readonly callId: string;
  readonly toolName: string;
  /** The permission family of the tool: the same in every toolset. */
  readonly permission: string;
  /** Aliases of its parameters, mapped to the published names. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly sideEffect: SideEffect;
  readonly input: unknown;
}

/** Answer of a pre-tool hook, before the call is evaluated; a denial is final. */
export type PreToolAnswer = {readonly deny: string} | HookedCall | undefined;

export interface HookedCall {
  /** Replaces the input, which is validated again, with aliases, and evaluated again. */
  readonly input?: unknown;
  /** `ask`: a person decides, whatever rules allow. `allow`: spares the question, but only if a rule of the person could have allowed the call. */
  readonly permission?: 'ask' | 'allow' | undefined;
  /** The reason of the permission. */
  readonly reason?: string | undefined;
  /** Text for the model, added after the result. */
  readonly context?: string | undefined;
}

/** Runs before the permission is decided. A hook that throws denies. */
export type PreToolHook = (call: HookCall, signal: AbortSignal) => Promise<PreToolAnswer> | PreToolAnswer;

/** Answer of a post-tool hook: another text, and an addition after it. */
export type PostToolAnswer = {readonly text?: string | undefined; readonly context?: string | undefined} | undefined;

/** Runs on the finished result of a call that ran. A hook that throws leaves a note. */
export type PostToolHook = (call: HookCall, result: FinishedResult, signal: AbortSignal) => Promise<PostToolAnswer> | PostToolAnswer;

export interface FinishedResult {
  readonly text: string;
  readonly isError: boolean;
  readonly durationMs: number;
}

/** Answers in the place of a person; undefined: the person is asked. `allow` counts only if a rule could have allowed the call. */
export type PermissionHook = (request: HookRequest, signal: AbortSignal) => Promise<Omit<ApprovalAnswer, 'hunks'> | undefined>;

export type HookRequest = HookCall & Pick<ApprovalRequest, 'subjects' | 'decision'>;

/**
 * Saves the state that a mutation is about to change. The returned function is called when the call is over,
 * however it ended, and must not throw. A checkpoint that throws stops the call, since the change could not be
 * undone.
 */
export type CallCheckpoint = (
  call: HookCall & {
    readonly subjects: readonly Subject[];
    /** It is a command line that is known to change no file. */
    readonly changesNothing: boolean;
  },
  signal: AbortSignal,
) => Promise<(() => Promise<void>) | undefined>;

export interface DispatcherOptions {
  readonly toolset: Toolset;
  readonly context: Omit<ToolContext, 'callId' | 'signal' | 'spoolDir'>;
  /** Evaluated anew for each call: an answer of a person may have added a rule. */
  readonly policy: () => Policy;
  /** Asks a person, one question at a time; undefined: nobody is there, and calls that need approval are denied. */
  readonly approve?: ((request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>) | undefined;
  /** Shared by dispatchers that ask the same person; absent: the dispatcher creates its own. */
  readonly asking?: OneAtATime | undefined;
  readonly preHooks?: readonly PreToolHook[] | undefined;
  readonly postHooks?: readonly PostToolHook[] | undefined;
  /** Asked before a person, even if nobody is there. */
  readonly permissionHook?: PermissionHook | undefined;
  readonly checkpoint?: CallCheckpoint | undefined;
  /** Results of tools with a `cacheKey`; shared by the dispatchers of one workspace. Absent: the dispatcher creates its own. */
  readonly results?: ResultCache | undefined;
  readonly verifiers?: readonly Verifier[] | undefined;
  /** Known secret values: replaced before they reach a model, a host or a log. */
  readonly secrets?: readonly string[] | undefined;
  /** Folder for the full text of shortened results; created when first needed. */
  readonly spoolDir: string;
  /** The clock, in milliseconds: the same call a second later is a poll, not a loop. Absent: the clock of the system. */
  readonly now?: (() => number) | undefined;
  readonly listener?: DispatchListener | undefined;
}
