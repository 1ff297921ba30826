import type {ApprovalQuestion} from '../host-adapter.ts';

export interface ApprovalChoice {
  readonly id: 'once' | 'session' | 'always' | 'deny' | 'feedback';
  /** The letter that chooses it. */
  readonly letter: string;
  readonly label: string;
}

/** What can be answered: lasting answers only where there are rules that would hold. */
export function approvalChoices({rules}: ApprovalQuestion): readonly ApprovalChoice[] {
  const lasting: readonly ApprovalChoice[] =
    rules.length === 0
      ? []
      : [
          {id: 'session', letter: 's', label: 'Yes, and its kind for this session'},
          {id: 'always', letter: 'a', label: 'Yes, and its kind in this project always'},
        ];
  return [
    {id: 'once', letter: 'y', label: 'Yes, once'},
    ...lasting,
    {id: 'deny', letter: 'n', label: 'No'},
    {id: 'feedback', letter: 'f', label: 'No, and say what to do instead'},
  ];
}
