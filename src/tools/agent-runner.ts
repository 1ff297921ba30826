/** Runs subagents: the same loop, with a profile's tools and limits. Undefined in a context means that there is no model to run one. */
export interface AgentRunner {
  readonly profiles: readonly AgentProfile[];
  /**
   * Throws BAD_ARGS for a profile that is unknown or no subagent, LIMIT where a subagent would start another, CANCELLED.
   * Whatever else goes wrong is a result that is not completed.
   */
  run(request: AgentRequest, signal: AbortSignal): Promise<AgentResult>;
}

export interface AgentProfile {
  readonly name: string;
  readonly description: string;
  /** Only subagents can be given tasks; the others are ways to run the main thread. */
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
  /** The answer; what was said so far, and why it stopped, where there is none. */
  readonly response: string;
  /** Requests to the model. */
  readonly turnsUsed: number;
  /** False where it was stopped by a limit, a denied call or a failure. */
  readonly completed: boolean;
}
