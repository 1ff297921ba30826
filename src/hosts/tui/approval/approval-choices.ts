import type {ApprovalQuestion} from '../host-adapter.ts';
import {hunkChoices} from './hunk-keys.ts';

export interface ApprovalChoice {
  readonly id: 'once' | 'session' | 'always' | 'hunks' | 'deny' | 'feedback';
  /** The letter that chooses it. */
  readonly letter: string;
  readonly label: string;
}

/** Returns the possible answers: lasting ones only if there are rules that would hold, parts only if there are several. */
export function approvalChoices(question: ApprovalQuestion): readonly ApprovalChoice[] {
  const lasting: readonly ApprovalChoice[] =
    question.rules.length === 0
      ? []
      : [
          {id: 'session', letter: 's', label: 'Yes, and allow this rule for the session'},
          {id: 'always', letter: 'a', label: 'Yes, and always allow this rule in this project'},
        ];
  const parts: readonly ApprovalChoice[] =
    hunkChoices(question).length < 2 ? [] : [{id: 'hunks', letter: 'h', label: 'Choose changes one by one'}];
  return [
    {id: 'once', letter: 'y', label: 'Yes, once'},
    ...lasting,
    ...parts,
    {id: 'deny', letter: 'n', label: 'No'},
    {id: 'feedback', letter: 'f', label: 'No, and say what to do instead'},
  ];
}
