import type {DecisionContext, Optimizer} from '../../optimization/optimizer.ts';
import type {FinishedRun, RunVerdict} from '../../optimization/rewards/judge-run.ts';
import type {TypicalTokens} from '../../optimization/typical-tokens.ts';
import type {RewardSignal} from '../../optimization/rewards/reward-signal.ts';
import type {SessionSettings} from '../settings/session-settings.ts';

export type {Explanation} from '../../optimization/explain.ts';
export type {DecisionContext, MadeDecision} from '../../optimization/optimizer.ts';
export type {FinishedRun, RunVerdict} from '../../optimization/rewards/judge-run.ts';
export type {RewardSignal} from '../../optimization/rewards/reward-signal.ts';

export interface OptimizerRequest {
  /** Its `[optimization]` says how to choose. `enabled` is for the choices of Fettle itself, and is not looked at. */
  readonly session: SessionSettings;
  /** A whole number that repeats all choices; left out, they are random. */
  readonly seed?: number;
}

export interface OpenedOptimizer extends Optimizer {
  /** The verdict on a finished run by what others than its model found; undefined where there is none. */
  judgeRun(run: FinishedRun): RunVerdict | undefined;
  /** The signal of a finished run, for `applyReward`; undefined where there is no verdict. */
  rewardSignalOf(action: string, run: FinishedRun): RewardSignal | undefined;
  /** The tokens that earlier runs of a decision took: those with these features, else all. Undefined where none are known. */
  typicalTokens(decision: string, features: DecisionContext['features']): TypicalTokens | undefined;
  close(): void;
}

/** Opens the optimizer over the ledger that all processes of the person share. Loads nothing of it before. Throws UNAVAILABLE if the ledger cannot be used. */
export async function openOptimizer({session: {settings, paths}, seed}: OptimizerRequest): Promise<OpenedOptimizer> {
  const [{openOptimizer: open}, {openLedger}, {seededStreams}, {judgeRun, rewardSignalOf}, {typicalTokens}] = await Promise.all([
    import('../../optimization/optimizer.ts'),
    import('../../optimization/ledger/ledger.ts'),
    import('../../optimization/random-streams.ts'),
    import('../../optimization/rewards/judge-run.ts'),
    import('../../optimization/typical-tokens.ts'),
  ]);
  const ledger = openLedger(paths.stateDir);
  const optimizer = open({settings: settings.optimization, ledger, ...(seed === undefined ? {} : {random: seededStreams(seed)})});
  return {
    ...optimizer,
    judgeRun,
    rewardSignalOf,
    typicalTokens: (decision, features) => typicalTokens(ledger.outcomesAfter(decision, 0), features),
    close: () => ledger.close(),
  };
}
