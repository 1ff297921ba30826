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

/** The one way from a call to its result. Neither function throws or rejects: whatever happens is a result. */
export interface Dispatcher {
  dispatch(call: ToolCall, signal: AbortSignal): Promise<DispatchResult>;
  /**
   * All calls of one model reply, results in call order: reads at the same time (at most 8), writes of different files at the same time,
   * commands alone. Verifiers run once, after the last write.
   */
  dispatchAll(calls: readonly ToolCall[], signal: AbortSignal): Promise<readonly DispatchResult[]>;
}

export interface DispatchResult {
  readonly callId: string;
  /** The published name the call was resolved to; the name as given where there is none. */
  readonly toolName: string;
  /** The same for two calls that ask for the same, however they were spelled; absent: the call was not made here. */
  readonly key?: string | undefined;
  readonly sideEffect: SideEffect;
  /** It may wait for something that goes on without the model (`loop-guard.ts`); absent: it does not. */
  readonly mayWait?: boolean | undefined;
  /** `loop`: the identical-call guard did not let it run; the agent ends the run. */
  readonly outcome: ToolOutcome;
  /** For the model: bounded, redacted, never empty. */
  readonly text: string;
  /** One line for people. */
  readonly summary: string;
  /** For programs: the operation's result, or `{code, message, hint}` of the error. */
  readonly structured: unknown;
  readonly isError: boolean;
  readonly changes: readonly FileChange[];
  /** Where the whole output is, when `text` is a shortened form. */
  readonly spoolPath?: string | undefined;
  readonly command?: {readonly line: string; readonly exitCode: number | null} | undefined;
  /** Repairs of the arguments before they were understood; the model is told only of what changed their meaning. */
  readonly repairs: readonly string[];
  /** What the model is told besides the result; it stands in `text`, too. */
  readonly notes: readonly string[];
  readonly durationMs: number;
  /** The result of an earlier call with the same `cacheKey`: nothing was run. */
  readonly fromCache?: true;
}

/** Callbacks for hosts while calls run. They must not throw. */
export interface DispatchListener {
  onStart?(call: StartedCall): void;
  /** What a call that may run is about; also the calls inside of it. */
  onSubjects?(subjects: readonly Subject[]): void;
  onOutput?(output: {readonly callId: string; readonly stream: 'stdout' | 'stderr' | 'progress'; readonly text: string}): void;
  /** Something that belongs into the events besides the call: a task list, an action in the editor. */
  onItem?(item: {readonly callId: string; readonly item: ToolItem['item']}): void;
  onPermissionRequested?(request: ApprovalRequest): void;
  /** For every decision but the silent allowing of a read. */
  onPermissionResolved?(resolved: ResolvedPermission): void;
  /** In the order of the calls. */
  onResult?(result: DispatchResult): void;
}

export interface StartedCall {
  readonly callId: string;
  readonly toolName: string;
  readonly sideEffect: SideEffect;
  /** After repair and hooks. */
  readonly input: unknown;
}

/** A request for approval by a person. */
export interface ApprovalRequest {
  readonly callId: string;
  readonly toolName: string;
  readonly subjects: readonly Subject[];
  readonly input: unknown;
  readonly decision: Decision;
  /** The subagent that wants it; absent: the thread itself. */
  readonly agent?: string | undefined;
  /** What would be decided with these allow rules besides: for rules that a person writes. Throws CONFIG for one that cannot be read. */
  decidedWith?(rules: readonly string[]): Promise<Decision>;
  /**
   * What it would write, nothing being written: a file each. Empty where that cannot be known before, or the call would fail. The files
   * are read once: asked again, it gives the same.
   */
  preview?(): Promise<readonly FilePreview[]>;
}

/** A text file before and after a call. */
export interface FilePreview {
  /** As a person reads it: relative to the workspace, absolute outside. */
  readonly path: string;
  /** Absent for a file that is created. */
  readonly before?: string | undefined;
  /** Absent for a file that is deleted. */
  readonly after?: string | undefined;
  /** The changes that can be allowed one by one; absent: the call is allowed as a whole or not at all. */
  readonly hunks?: readonly DiffHunk[] | undefined;
}

/** One change of those that a preview showed. */
export interface HunkPlace {
  /** Index of the file in the preview. */
  readonly file: number;
  /** Index in its `hunks`. */
  readonly hunk: number;
}

export interface ApprovalAnswer {
  readonly decision: 'allow' | 'deny' | 'cancelled';
  /** What the person said to the model, of a call that is denied or allowed in part. */
  readonly feedback?: string | undefined;
  /**
   * Of an allowed call: only these changes of its preview are made, none is a denial; the model is told which were left out. The call
   * fails with STALE where a file is no longer as in the preview. Absent: the call runs as it is.
   */
  readonly hunks?: readonly HunkPlace[] | undefined;
}

export interface ResolvedPermission {
  readonly callId: string;
  readonly toolName: string;
  readonly decision: 'allow' | 'deny' | 'cancelled';
  /** Only some of the changes were allowed. */
  readonly partial?: true | undefined;
  /** `mode:<name>`, `rule:<text>`, `default`, `person`, `headless`, `hook`. */
  readonly decidedBy: string;
  readonly rule?: string | undefined;
  readonly waitMs: number;
  /** Rules that together would have allowed a denied call, if some could. */
  readonly allowRules?: readonly string[] | undefined;
  /** The mildest mode that would have allowed it, where one would. */
  readonly allowMode?: string | undefined;
}

export interface HookCall {
  readonly callId: string;
  readonly toolName: string;
  /** The permission family of the tool: the same in every toolset. */
  readonly permission: string;
  /** Other spellings of its parameters → the published one. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly sideEffect: SideEffect;
  readonly input: unknown;
}

/** Answer of a pre-tool hook, before the call is evaluated; a denial is final. */
export type PreToolAnswer = {readonly deny: string} | HookedCall | undefined;

export interface HookedCall {
  /** Instead of the input; validated again, in any spelling that a model may use, and judged again. */
  readonly input?: unknown;
  /** ask: a person decides, whatever rules allow. allow: nobody is asked where a rule of theirs could have allowed it; no more than that. */
  readonly permission?: 'ask' | 'allow' | undefined;
  /** The reason of the permission. */
  readonly reason?: string | undefined;
  /** Put behind the result, for the model. */
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

/** Answers in the place of a person; undefined: it has nothing to say. `allow` counts only where a rule could have allowed the call. */
export type PermissionHook = (request: HookRequest, signal: AbortSignal) => Promise<Omit<ApprovalAnswer, 'hunks'> | undefined>;

export type HookRequest = HookCall & Pick<ApprovalRequest, 'subjects' | 'decision'>;

/**
 * Keeps what a mutation is about to change; what it gives is called when the call is over, however it ended, and must not throw. A
 * checkpoint that throws stops the call: what cannot be undone is not done.
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
  /** Asked anew for each call: an answer of a person may have added a rule. */
  readonly policy: () => Policy;
  /** Asks a person; undefined: nobody is there, what would be asked is denied. One question at a time. */
  readonly approve?: ((request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer>) | undefined;
  /** Where several dispatchers ask the same person: they share it. Absent: one of its own. */
  readonly asking?: OneAtATime | undefined;
  readonly preHooks?: readonly PreToolHook[] | undefined;
  readonly postHooks?: readonly PostToolHook[] | undefined;
  /** Asked before a person, also where nobody is there. */
  readonly permissionHook?: PermissionHook | undefined;
  readonly checkpoint?: CallCheckpoint | undefined;
  /** Results of tools with a `cacheKey`; shared by the dispatchers of one workspace. Absent: one of its own. */
  readonly results?: ResultCache | undefined;
  readonly verifiers?: readonly Verifier[] | undefined;
  /** Known secret values: replaced wherever they would reach a model, a host or a log. */
  readonly secrets?: readonly string[] | undefined;
  /** Where texts beyond the bound are kept whole; made when first needed. */
  readonly spoolDir: string;
  /** Milliseconds: a call that comes a second after the same one is a poll and no loop. Absent: the clock of the system. */
  readonly now?: (() => number) | undefined;
  readonly listener?: DispatchListener | undefined;
}
