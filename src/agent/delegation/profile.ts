import type {Mode, Rule} from '../../policy/decision.ts';
import type {AgentProfile} from '../../tools/ports/agent-runner.ts';
import type {Tool} from '../../tools/toolset.ts';

/** Settings for a thread that runs beside the one that talks with the user: its own prompt and limits, and some of the tools. */
export interface SubagentProfile extends AgentProfile {
  readonly isSubagent: true;
  /** The whole system prompt except for the place and the form of the report. */
  readonly prompt: string;
  allows(tool: Pick<Tool, 'name' | 'sideEffect' | 'permission'>): boolean;
  /** `provider/model`; absent: that of the thread. */
  readonly model?: string | undefined;
  /** The approval mode; never freer than that of the thread. */
  readonly mode?: Mode | undefined;
  /** Rules added to those of the thread: deny and ask only. */
  readonly rules?: readonly Rule[] | undefined;
  /** Requests to the model. */
  readonly maxTurns: number;
  readonly maxToolCalls: number;
  readonly maxTokens?: number | undefined;
  readonly maxCostUsd?: number | undefined;
  /** `worktree`: the subagent works in a copy of the repository; its changes are merged after a review. */
  readonly isolation?: 'worktree' | undefined;
}

export type Profile = SubagentProfile | (AgentProfile & {readonly isSubagent: false});

/** The permission family of the tools that start subagents: no subagent has one. */
export const TASK_FAMILY = 'task';

const FREEDOM: readonly Mode[] = ['plan', 'ask', 'accept-edits', 'full-auto'];

/** The stricter of the two modes. */
export function narrowerMode(a: Mode, b: Mode): Mode {
  return FREEDOM.indexOf(a) <= FREEDOM.indexOf(b) ? a : b;
}
