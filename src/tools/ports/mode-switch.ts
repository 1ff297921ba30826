import type {Mode} from '../../policy/decision.ts';

/** The mode of a thread: what the policy reads for each call. */
export interface ModeSwitch {
  current(): Mode;
  /** For what a person has answered, never for what a model wants. */
  set(mode: Mode): void;
}
