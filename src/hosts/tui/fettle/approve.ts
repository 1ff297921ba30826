import type {ApprovalAnswer, ApprovalRequest} from '../../../tools/dispatch.ts';
import type {ApprovalQuestion, ApprovalReply, ScreenPort} from '../host-adapter.ts';
import {approvalQuestion} from './approval-question.ts';
import {refusedRule} from './refused-rule.ts';

export interface Approving {
  readonly port: Pick<ScreenPort, 'approve'>;
  /** Adds a rule for the rest of the session. */
  readonly grant: (rule: string) => void;
  /** Stores it for this project, too. */
  readonly remember: (rule: string) => Promise<void>;
}

/** Puts questions about calls on the screen, one at a time in the order in which they came; one whose call is cancelled is taken away. */
export function createApprover(approving: Approving): (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalAnswer> {
  let last: Promise<unknown> = Promise.resolve();
  return (request, signal) => {
    const answer = last.then(async () => await answerOf(approving, request, signal));
    last = answer.catch(() => undefined);
    return answer;
  };
}

async function answerOf({port, grant, remember}: Approving, request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
  const diffs = (await request.preview?.()) ?? [];
  let question: ApprovalQuestion = approvalQuestion(request, diffs);
  for (;;) {
    const reply = signal.aborted ? CANCELLED : await port.approve(question, signal).catch((): ApprovalReply => CANCELLED);
    if (reply.decision === 'once') return {decision: 'allow'};
    if (reply.decision === 'deny') return {decision: 'deny', feedback: reply.feedback?.trim() === '' ? undefined : reply.feedback};
    if (reply.decision === 'cancelled' || reply.decision === 'hunks') return {decision: 'cancelled'};
    const flaw = await refusedRule(request, reply.rules);
    if (flaw === undefined) {
      for (const rule of reply.rules) grant(rule);
      if (reply.decision === 'always') for (const rule of reply.rules) await remember(rule);
      return {decision: 'allow'};
    }
    question = {...question, reason: flaw, rules: reply.rules.map((rule) => ({rule, meaning: ''}))};
  }
}

const CANCELLED = {decision: 'cancelled'} as const;
