import type {ApprovalAnswer, ApprovalRequest, HunkPlace} from '../../../tools/dispatch/dispatch.ts';
import type {ApprovalQuestion, ApprovalReply, ScreenPort} from '../host-adapter.ts';
import {approvalQuestion} from './approval-question.ts';
import {refusedRule} from './rule-problem.ts';

export interface Approving {
  readonly port: Pick<ScreenPort, 'approve'>;
  /** Adds a rule for the rest of the session. */
  readonly grant: (rule: string) => void;
  /** Stores it for this project, too. */
  readonly remember: (rule: string) => Promise<void>;
}

/** Puts questions about calls on the screen, one at a time in the order in which they came; a question is removed if its call is cancelled. */
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
    if (!('rules' in reply)) return plainAnswer(reply);
    const {rules} = reply;
    const flaw = await refusedRule(request, rules);
    if (flaw === undefined) {
      for (const rule of rules) grant(rule);
      if (reply.decision === 'always') await rememberAll(rules, remember);
      return {decision: 'allow'};
    }
    question = {...question, reason: flaw, rules: rules.map((rule) => ({rule, meaning: ''}))};
  }
}

const CANCELLED = {decision: 'cancelled'} as const;

function plainAnswer(reply: Exclude<ApprovalReply, {readonly rules: readonly string[]}>): ApprovalAnswer {
  if (reply.decision === 'once') return {decision: 'allow'};
  if (reply.decision === 'cancelled') return CANCELLED;
  if (reply.decision === 'hunks') return {decision: 'allow', hunks: reply.hunks.map(placeOf)};
  const feedback = reply.feedback?.trim();
  return {decision: 'deny', feedback: feedback === '' ? undefined : feedback};
}

/** `<diff>:<hunk>`: diffs and hunks are those of the preview. */
function placeOf(id: string): HunkPlace {
  const [file = '', hunk = ''] = id.split(':');
  return {file: Number.parseInt(file, 10), hunk: Number.parseInt(hunk, 10)};
}

async function rememberAll(rules: readonly string[], remember: Approving['remember']): Promise<void> {
  for (const rule of rules) await remember(rule);
}
