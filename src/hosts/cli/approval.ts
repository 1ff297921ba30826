import {visibleText} from '../../base/visible-text.ts';
import {subjectText} from '../../policy/subject-text.ts';
import type {ApprovalAnswer, ApprovalRequest} from '../../tools/dispatch.ts';
import type {Io} from './io.ts';
import type {LineEditor} from './line-editor.ts';

export interface Question {
  readonly io: Io;
  readonly lines: LineEditor;
  readonly request: ApprovalRequest;
  /** Adds the rule that would have allowed the call, for the rest of the session. */
  readonly grant: (rule: string) => void;
}

/** Shows the whole call with the reason for the question, and takes the answer of a person. Anything but a clear yes is a no. */
export async function askApproval({io, lines, request, grant}: Question, signal: AbortSignal): Promise<ApprovalAnswer> {
  const {decision, toolName} = request;
  io.note(`\n${io.paint('yellow', `May ${toolName} do this?`)} ${visibleText(decision.reason)}`);
  for (const line of contents(request)) io.note(visibleText(line).replaceAll('\n', '\n  '));
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

/** The command lines and paths; for a write also what is to be written, under the names that the tool gives it. */
function contents({subjects, input}: ApprovalRequest): string[] {
  const lines = subjects.map((subject) => `  ${subjectText(subject)}`);
  // The whole call, always, where neither commands nor files tell it.
  if (subjects.every(({kind}) => kind === 'name')) return [...lines, `  ${JSON.stringify(input, null, 2)}`];
  const writes = subjects.some((subject) => subject.kind === 'path' && subject.write);
  return writes ? [...lines, ...texts(input)] : lines;
}

function texts(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'path' ? [`  ${name}:\n  ${clipped(value)}`] : [],
  );
}

function clipped(text: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  const more = lines.length - MOST_LINES;
  return more <= 0 ? lines.join('\n  ') : `${lines.slice(0, MOST_LINES).join('\n  ')}\n  … ${more} more lines`;
}

const MOST_LINES = 40;
