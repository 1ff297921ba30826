/** The figures of an action after its run (VT Code architecture › RL Optimization Loop). Field names are those of the events. */
export interface RewardSignal {
  readonly action: string;
  /** True only if something other than the model found that the work was done. */
  readonly success: boolean;
  /** True: a time limit ended it; then it is not a success, whatever `success` says. */
  readonly timeout?: boolean;
  readonly latency_ms?: number;
  readonly cost_usd?: number;
  readonly tokens?: number;
}
