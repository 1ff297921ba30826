/** Runs subagents: the same loop, with a profile's tools and limits. Undefined in a context without a model to run one. */
export interface AgentRunner {
  readonly profiles: readonly AgentProfile[];
  /**
   * Throws BAD_ARGS for a profile that is unknown or no subagent, LIMIT if a subagent would start another, CANCELLED.
   * Whatever else goes wrong is a result that is not completed.
   */
  run(request: AgentRequest, signal: AbortSignal): Promise<AgentResult>;
  /** Subagents that work beside the thread; absent: none can be started here. */
  readonly children?: ChildAgents | undefined;
}

export interface AgentProfile {
  readonly name: string;
  readonly description: string;
  /** Only subagents take tasks; the others are ways to run the main thread. */
  readonly isSubagent: boolean;
}

export interface AgentRequest {
  /** The tool call that asks. */
  readonly callId: string;
  readonly task: string;
  readonly profile: string;
  /** Below the limits of the profile. */
  readonly maxTurns?: number | undefined;
  readonly maxToolCalls?: number | undefined;
  /** One line for each thing that the subagent did. */
  readonly onProgress: (line: string) => void;
}

export interface AgentResult {
  /** The answer; what was said so far, and why it stopped, if there is none. */
  readonly response: string;
  /** Requests to the model. */
  readonly turnsUsed: number;
  /** False if it was stopped by a limit, a denied call or a failure. */
  readonly completed: boolean;
}

/** queued: waits for others to end · waiting: for a person · failed: stopped before its end · closed: ended from outside. */
export type AgentStatus = 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'closed';

export interface AgentInfo {
  /** How the thread calls it. */
  readonly id: string;
  readonly profile: string;
  readonly status: AgentStatus;
  /** The beginning of its latest task. */
  readonly task: string;
  /** The reason why it did not complete. */
  readonly message?: string | undefined;
  /** Its last words; once it is no longer busy. */
  readonly response?: string | undefined;
  /** Changes in its own copy of the repository that are not merged; absent: it has no copy, or changed nothing. */
  readonly changes?: readonly ProposedFile[] | undefined;
}

export interface ProposedFile {
  /** Absolute, in the workspace of the thread. */
  readonly path: string;
  readonly kind: 'add' | 'delete' | 'update';
}

/** Subagents with an id, each a conversation of its own that can be continued. All throw NOT_FOUND for an id that there is not. */
export interface ChildAgents {
  /** Throws BAD_ARGS for a profile that is not a subagent, LIMIT if too many wait. */
  spawn(order: {readonly profile: string; readonly task: string} & ByCall): Promise<AgentInfo>;
  /** To one that is busy: `now` before its next request, else when it is done. One that is not goes on with it. */
  send(order: {readonly id: string; readonly message: string; readonly now: boolean} & ByCall): Promise<AgentInfo>;
  /** Until all of these are no longer busy, or the time is over. Without ids: all there are. */
  wait(order: WaitOrder, signal: AbortSignal): Promise<readonly AgentInfo[]>;
  /** Lets one that failed, was closed or was cut off by a crash go on. */
  resume(order: {readonly id: string; readonly message?: string | undefined} & ByCall): Promise<AgentInfo>;
  /** Ends one; its messages and changes stay. */
  close(id: string): Promise<AgentInfo>;
  list(): Promise<readonly AgentInfo[]>;
  /**
   * Returns what a merge would do. Throws BAD_ARGS while the agent works or if it has no copy of its own; STALE if the workspace is on another
   * branch.
   */
  proposal(id: string): Promise<MergeProposal>;
}

/** The tool call that gives an order. */
export interface ByCall {
  readonly callId: string;
}

export interface WaitOrder extends ByCall {
  readonly ids: readonly string[];
  readonly timeoutMs: number;
}

export interface MergeProposal {
  readonly files: readonly ProposedFile[];
  /** Unified. */
  readonly diff: string;
  /** All of it, or nothing: throws STALE if the workspace has other changes at the same place. */
  apply(signal: AbortSignal): Promise<void>;
}
