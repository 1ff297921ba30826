import type {DialogBase} from '../model/dialog-base.ts';
import type {TrustItem, TrustQuestion, TrustReply} from './trust-question.ts';

export interface TrustDialog extends DialogBase {
  readonly type: 'trust';
  readonly question: TrustQuestion;
  /** Index of the selection: the entries first, then the answers. */
  readonly at: number;
  /** Set while the chosen entry is open. `isWhole`: shows its full text, even if there is a difference to show. */
  readonly reading?: {readonly scroll: number; readonly isWhole: boolean} | undefined;
}

export interface TrustChoice {
  readonly reply: TrustReply | 'leave';
  readonly label: string;
}

/** The first is the safe one. */
export const TRUST_CHOICES: readonly TrustChoice[] = [
  {reply: 'ignore', label: 'Go on without loading any of it'},
  {reply: 'trust', label: 'Trust it, and ask again when something of it changes'},
  {reply: 'session', label: 'Trust it for this session only'},
  {reply: 'leave', label: 'Leave'},
];

/** Makes the dialog with the safe answer chosen. */
export function trustDialog(id: string, question: TrustQuestion): TrustDialog {
  return {type: 'trust', id, question, at: question.entries.length};
}

/** Returns the entry that is chosen; undefined if an answer is. */
export function chosenEntry({question, at}: TrustDialog): TrustItem | undefined {
  return question.entries[at];
}

/** Returns the answer that is chosen; undefined if an entry is. */
export function chosenAnswer({question, at}: TrustDialog): TrustChoice | undefined {
  return TRUST_CHOICES[at - question.entries.length];
}
