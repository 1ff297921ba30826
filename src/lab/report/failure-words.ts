import type {FailureKind} from '../rollout/rollout.ts';

const WORDS: Readonly<Record<FailureKind, string>> = {
  'wrong-answer': 'wrong answer',
  'no-answer': 'no answer',
  'time-limit': 'time limit',
  'turn-limit': 'turn limit',
  'token-limit': 'token limit',
  'cost-limit': 'cost limit',
  loop: 'loop',
  denied: 'denied',
  'verify-time-limit': 'verification time limit',
};

/** Every kind of failure, in the order in which reports show them. */
export const FAILURE_KINDS = Object.keys(WORDS) as readonly FailureKind[];

/** The kind in words; of a later version as it is written. */
export function failureWord(kind: string): string {
  return Object.hasOwn(WORDS, kind) ? WORDS[kind as FailureKind] : kind;
}
