/** Runs subagents: the same loop, with a profile's tools and limits. Undefined in a context without a model to run one. */
export interface AgentRunner {
  readonly profiles: readonly AgentProfile[];
  /**
   * Throws BAD_ARGS for a profile that is unknown or not for subagents, LIMIT if a subagent would start another,
   * CANCELLED. Any other failure is a result with `completed: false`.
   */
  run(request: AgentRequest, signal: AbortSignal): Promise<AgentResult>;
  /** Subagents that work beside the thread; absent: none can be started here. */
  readonly children?: ChildAgents | undefined;
}

export interface AgentProfile {
  readonly name: string;
  readonly description: string;
  /** True for profiles of subagents, which take tasks; the others are for the main thread. */
  readonly isSubagent: boolean;
}

export interface AgentRequest {
  /** The tool call that asks. */
  readonly callId: string;
  readonly task: string;
  readonly profile: string;
  /** At most the limit of the profile. */
  readonly maxTurns?: number | undefined;
  readonly maxToolCalls?: number | undefined;
  /** Called with a line for each step of the subagent. */
  readonly onProgress: (line: string) => void;
}

export interface AgentResult {
  /** The answer; if there is none, the text so far and the reason for the stop. */
  readonly response: string;
  /** Requests to the model. */
  readonly turnsUsed: number;
  /** False if it was stopped by a limit, a denied call or a failure. */
  readonly completed: boolean;
}

/** queued: waits for others to end · waiting: waits for a person · failed: stopped before its end · closed: ended from outside. */
export type AgentStatus = 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'closed';

export interface AgentInfo {
  /** The id that the thread uses for it. */
  readonly id: string;
  readonly profile: string;
  readonly status: AgentStatus;
  /** The beginning of its latest task. */
  readonly task: string;
  /** The reason why it did not complete. */
  readonly message?: string | undefined;
  /** Its last answer; set once it is no longer busy. */
  readonly response?: string | undefined;
  /** Changes in its own copy of the repository that are not merged; absent: it has no copy, or changed nothing. */
  readonly changes?: readonly ProposedFile[] | undefined;
}

export interface ProposedFile {
  /** Absolute, in the workspace of the thread. */
  readonly path: string;
  readonly kind: 'add' | 'delete' | 'update';
}

/** Subagents with an id, each a conversation of its own that can be continued. All functions throw NOT_FOUND for an unknown id. */
export interface ChildAgents {
  /** Throws BAD_ARGS for a profile that is not a subagent, LIMIT if too many wait. */
  spawn(order: {readonly profile: string; readonly task: string} & ByCall): Promise<AgentInfo>;
  /** Sends a message. A busy subagent gets it before its next request (`now`), or else when it is done; an idle one continues with it. */
  send(order: {readonly id: string; readonly message: string; readonly now: boolean} & ByCall): Promise<AgentInfo>;
  /** Waits until none of these is busy, or the time is over. Without ids: waits for all. */
  wait(order: WaitOrder, signal: AbortSignal): Promise<readonly AgentInfo[]>;
  /** Continues a subagent that failed, was closed or was cut off by a crash. */
  resume(order: {readonly id: string; readonly message?: string | undefined} & ByCall): Promise<AgentInfo>;
  /** Ends a subagent; its messages and changes stay. */
  close(id: string): Promise<AgentInfo>;
  list(): Promise<readonly AgentInfo[]>;
  /**
   * Returns the changes that a merge would make. Throws BAD_ARGS while the agent works or if it has no copy of its
   * own; STALE if the workspace is on another branch.
   */
  proposal(id: string): Promise<MergeProposal>;
}

/** The tool call on whose behalf this is done. */
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
  /** Applies all changes or none. Throws STALE if the workspace has other changes at the same place. */
  apply(signal: AbortSignal): Promise<void>;
}
