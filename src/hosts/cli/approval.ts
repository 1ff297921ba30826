import type {Interface} from 'node:readline/promises';
import {visibleText} from '../../base/visible-text.ts';
import type {ApprovalAnswer, ApprovalRequest} from '../../tools/dispatch.ts';
import type {Io} from './io.ts';

export interface Question {
  readonly io: Io;
  readonly lines: Interface;
  readonly request: ApprovalRequest;
  /** Adds the rule that would have allowed the call, for the rest of the session. */
  readonly grant: (rule: string) => void;
}

/** Shows the whole call with the reason for the question, and takes the answer of a person. Anything but a clear yes is a no. */
export async function askApproval({io, lines, request, grant}: Question, signal: AbortSignal): Promise<ApprovalAnswer> {
  const {decision, toolName} = request;
  io.note(`\n${io.paint('yellow', `May ${toolName} do this?`)} ${visibleText(decision.reason)}`);
  for (const subject of request.subjects) {
    io.note(
      `  ${visibleText(subject.kind === 'command' ? subject.command : `${subject.write ? 'write' : 'read'} ${subject.path}`).replaceAll('\n', '\n  ')}`,
    );
  }
  const always = decision.wouldAllow;
  const choices =
    always === undefined
      ? '[y]es, [n]o, or say what to do instead: '
      : `[y]es, [a]lways in this session (${visibleText(always)}), [n]o, or say what to do instead: `;
  let answer: string;
  try {
    answer = (await lines.question(choices, {signal})).trim();
  } catch {
    return {decision: 'cancelled'};
  }
  if (/^y(es)?$/i.test(answer)) return {decision: 'allow'};
  if (/^a(lways)?$/i.test(answer) && always !== undefined) {
    grant(always);
    return {decision: 'allow'};
  }
  return {decision: 'deny', feedback: answer === '' || /^n(o)?$/i.test(answer) ? undefined : answer};
}
