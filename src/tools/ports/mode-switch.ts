import type {Mode} from '../../policy/decision.ts';

/** The mode of a thread, read by the policy for each call. */
export interface ModeSwitch {
  current(): Mode;
  /** Sets the mode that a person has chosen; never called on behalf of a model. */
  set(mode: Mode): void;
}
