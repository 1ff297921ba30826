import type {ErrorCode} from '../base/errors.ts';
import type {OutcomeCode} from './events.ts';

/** Exit codes of the command line (design 6). */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  limit: 4,
  loop: 5,
  blocked: 6,
  provider: 7,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export function exitCodeOfOutcome(outcome: OutcomeCode): ExitCode {
  return BY_OUTCOME[outcome];
}

export function exitCodeOfError(code: ErrorCode): ExitCode {
  return BY_ERROR[code] ?? EXIT.failed;
}

const BY_OUTCOME: Readonly<Record<OutcomeCode, ExitCode>> = {
  success: EXIT.done,
  failed: EXIT.failed,
  // Nothing was sent: the prompt, with the texts that settings add to it, is larger than the model takes.
  request_too_large: EXIT.usage,
  denied: EXIT.denied,
  turn_limit_reached: EXIT.limit,
  token_limit_reached: EXIT.limit,
  budget_limit_reached: EXIT.limit,
  time_limit_reached: EXIT.limit,
  loop_detected: EXIT.loop,
  blocked: EXIT.blocked,
  provider_error: EXIT.provider,
  cancelled: EXIT.interrupted,
};

const BY_ERROR: Readonly<Partial<Record<ErrorCode, ExitCode>>> = {
  USAGE: EXIT.usage,
  BAD_ARGS: EXIT.usage,
  NOT_FOUND: EXIT.usage,
  NOT_A_FILE: EXIT.usage,
  CONFIG: EXIT.usage,
  DENIED: EXIT.denied,
  LIMIT: EXIT.limit,
  LOOP: EXIT.loop,
  AUTH: EXIT.provider,
  PROVIDER: EXIT.provider,
  CANCELLED: EXIT.interrupted,
};
