import {shellQuoted} from '../../base/shell-word.ts';
import type {Todo} from '../../tools/ports/todo-list.ts';
import type {OutcomeCode} from '../../protocol/events.ts';
import {describeCheck, type CheckResult} from './check-result.ts';
import {trackerMarkdown} from './open-items.ts';

export interface Handoff {
  readonly threadId: string;
  readonly outcome: OutcomeCode;
  readonly summary: string;
  readonly createdAt: Date;
  readonly workspace: string;
  readonly todos: readonly Todo[];
  readonly results: readonly CheckResult[];
  /** Commands that the person has named for the run. */
  readonly commands: readonly string[];
  /** From the root of the workspace. */
  readonly paths: readonly string[];
}

/** Writes the handoff of a run that cannot continue by itself (VT Code › blocked handoff): front matter, and four sections. */
export function handoffMarkdown(handoff: Handoff): string {
  const {threadId, outcome, summary, createdAt, workspace, todos, results, paths} = handoff;
  const facts = {session_id: threadId, outcome, created_at: createdAt.toISOString(), workspace, resume_command: resumeCommand(handoff)};
  return `---
${Object.entries(facts)
  .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
  .join('\n')}
---

# What blocks

${summary.trim()}

${todos.length === 0 ? '# Tasks\n\n- none\n' : trackerMarkdown(todos)}
# Verification

${results.length === 0 ? '- nothing was verified' : results.map(checkText).join('\n\n')}

# Paths

${paths.length === 0 ? '- none' : paths.map((path) => `- ${path}`).join('\n')}
`;
}

/** Returns the command that continues the session with the same checks. */
export function resumeCommand({threadId, commands}: Pick<Handoff, 'threadId' | 'commands'>): string {
  return [
    'fettle exec',
    `--resume ${threadId}`,
    ...commands.map((command) => `--verify ${shellQuoted(command)}`),
    shellQuoted('Go on.'),
  ].join(' ');
}

function checkText(check: CheckResult): string {
  const said = `- ${describeCheck(check)}`;
  return check.state === 'passed' ? said : `${said}\n\n${fenced(check.output.trim())}`;
}

/** Puts a text into a fence that it cannot close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
