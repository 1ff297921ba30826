import type {AgentRun} from './agent/run-agent.ts';
import type {ScratchPlace} from './place/scratch-place.ts';
import type {RolloutRequest} from './rollout-request.ts';
import type {Judgement} from './verify/verify-step.ts';

/** The state of a rollout that runs. */
export interface RolloutRun {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Those whose agent has ended, in order. */
  steps: readonly FinishedStep[];
  artifacts: Readonly<Record<string, string>>;
  /** The cost of steps that an earlier attempt has left. */
  keptUsd?: number | undefined;
  /** Why the rollout proves nothing about the agent. */
  infrastructure?: string | undefined;
}

/** One step whose agent has ended; the last one may have to be judged yet. */
export interface FinishedStep {
  readonly name: string;
  readonly agent: AgentRun;
  /** Files that were put back before the verification. */
  readonly putBack: readonly string[];
  readonly judgement?: Judgement | undefined;
}

/** Passed through the parts of a rollout. */
export interface RolloutCall {
  readonly request: RolloutRequest;
  readonly place: ScratchPlace;
  readonly run: RolloutRun;
}
