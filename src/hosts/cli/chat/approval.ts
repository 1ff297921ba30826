import {escapeInvisible} from '../../../base/escape-invisible.ts';
import {visibleText} from '../../../base/visible-text.ts';
import {describeRule} from '../../../policy/rules/describe-rule.ts';
import type {ApprovalAnswer, ApprovalRequest} from '../../../tools/dispatch/dispatch.ts';
import {approvalText} from './approval-text.ts';
import type {Io} from '../io.ts';
import type {LineEditor} from './line-editor.ts';

export interface ApprovalPrompt {
  readonly io: Io;
  readonly lines: LineEditor;
  readonly request: ApprovalRequest;
  /** Adds a rule that would have allowed the call, for the rest of the session. */
  readonly grant: (rule: string) => void;
  /** Stores it for this project, too. */
  readonly remember: (rule: string) => Promise<void>;
}

/**
 * Shows the whole call with the reason for the question, and takes the answer of a person. Anything but a clear yes is a no; text typed before
 * the question does not count.
 */
export async function askApproval({io, lines, request, grant, remember}: ApprovalPrompt, signal: AbortSignal): Promise<ApprovalAnswer> {
  const {offers} = request.decision;
  const whole = showRequest(io, request);
  const view = whole === undefined ? '' : '[v]iew all of it, ';
  const lasting = offers.length === 0 ? '' : '[s]ession: the rule until the end, [a]lways: the rule in this project, ';
  const choices = `[y]es, ${view}${lasting}[n]o, or say what to do instead: `;
  const answer = await answerTo(choices, {io, lines, whole}, signal);
  if (answer === undefined) return {decision: 'cancelled'};
  if (/^y(es)?$/i.test(answer)) return {decision: 'allow'};
  if (offers.length > 0 && /^(?:s|session|a|always)$/i.test(answer)) {
    for (const rule of offers) grant(rule);
    if (/^a/i.test(answer)) for (const rule of offers) await remember(rule);
    return {decision: 'allow'};
  }
  return refusal(answer);
}

function refusal(answer: string): ApprovalAnswer {
  return {decision: 'deny', feedback: answer === '' || /^n(o)?$/i.test(answer) ? undefined : answer};
}

/** Returns the text that is shown only on request; undefined if everything was shown. */
function showRequest(io: Io, request: ApprovalRequest): readonly string[] | undefined {
  const {decision, toolName} = request;
  const {lines, whole} = approvalText(request);
  io.note(`\n${io.paint('yellow', `May ${visibleText(toolName)} do this?`)} ${visibleText(decision.reason)}`);
  for (const line of lines) io.note(line);
  for (const rule of decision.offers) io.note(`  rule ${escapeInvisible(rule).text}: ${escapeInvisible(describeRule(rule)).text}`);
  return whole;
}

interface Asking extends Pick<ApprovalPrompt, 'io' | 'lines'> {
  /** The full text, shown on request. */
  readonly whole: readonly string[] | undefined;
}

/** Undefined if nobody answers any longer. */
async function answerTo(choices: string, {io, lines, whole}: Asking, signal: AbortSignal): Promise<string | undefined> {
  try {
    await lines.clearTyped();
    for (;;) {
      const answer = (await lines.question(choices, {signal})).trim();
      if (whole === undefined || !/^v(iew)?$/i.test(answer)) return answer;
      for (const line of whole) io.note(line);
    }
  } catch {
    return undefined;
  }
}
