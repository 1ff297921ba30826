import type {Todo} from '../../tools/ports/todo-list.ts';
import {itemLines} from '../continuation/open-items.ts';
import {passes, type Evaluation} from './evaluate-work.ts';

/** Formats the evaluation as a file for people. */
export function evaluationMarkdown(evaluation: Evaluation): string {
  const {summary, scorecard, findings} = evaluation;
  const sections: [string, readonly string[]][] = [
    ['Scorecard', Object.entries(scorecard).map(([name, score]) => `${name}: ${score}/5`)],
    ['Findings', findings.map(({severity, title, detail}) => `${severity}: ${title}${detail === '' ? '' : ` – ${detail}`}`)],
    ['High-severity findings', evaluation.high_severity_findings ?? []],
    ['Unmet contract items', evaluation.unmet_contract_items ?? []],
    ['Residual risks', evaluation.residual_risks ?? []],
    ['Required tracker updates', evaluation.required_tracker_updates ?? []],
  ];
  const body = sections.map(([title, lines]) => `# ${title}\n\n${bullets(lines)}\n`).join('\n');
  return `# Verdict\n\n${passes(evaluation) ? 'passed' : 'not passed'} (the evaluator said: ${evaluation.verdict})\n\n# Summary\n\n${summary}\n\n${body}`;
}

/** Returns the content of the file if there was no evaluation. */
export function notEvaluatedMarkdown(problem: string): string {
  return `# Verdict\n\nnot evaluated\n\n# Summary\n\nThe evaluator gave no answer that could be used: ${problem}\n`;
}

/** Returns the content of the file until there is an evaluation. */
export function notJudgedMarkdown(): string {
  return '# Verdict\n\nnot yet judged\n';
}

/** Returns true if the file says that evaluation is over: then the next task is another one. */
export function isJudged(markdown: string): boolean {
  return !/^# Verdict\n\nnot (?:yet judged|passed|evaluated)\b/.test(markdown);
}

/** Turns the evaluator's findings into items of the task list that stay until they are done. At least one. */
export function findingItems(evaluation: Evaluation, round: number): readonly Todo[] {
  const {findings, scorecard, summary} = evaluation;
  const said = [
    ...findings.map(({severity, title, detail}) => ({
      text: `${title}${detail === '' ? '' : `: ${detail}`}`,
      priority: priorityOf(severity),
    })),
    ...[evaluation.high_severity_findings, evaluation.unmet_contract_items, evaluation.required_tracker_updates].flatMap((texts = []) =>
      texts.map((text) => ({text, priority: 'high' as const})),
    ),
  ].filter(({text}) => text.trim() !== '');
  const low = Object.entries(scorecard).filter(([, score]) => score < 4);
  const whole = [
    {
      text: `The evaluation failed (${low.map(([name, score]) => `${name} ${score}/5`).join(', ') || 'verdict fail'}): ${summary}`,
      priority: 'high' as const,
    },
  ];
  return (said.length > 0 ? said : whole).slice(0, MAX_FINDINGS).map(({text, priority}, index) => ({
    id: `finding-${round}-${index + 1}`,
    content: text.trim().slice(0, MAX_CHARS),
    status: 'pending',
    priority,
    pinned: true,
  }));
}

/** Builds the message for a model whose work did not pass. */
export function revisionText(evaluation: Evaluation, items: readonly Todo[]): string {
  return `The evaluation did not pass: ${evaluation.summary}
These items are in the task list now:
${itemLines(items)}

Do them, update the list, verify, then answer again.`;
}

/** Presents the plan to the model before it begins. */
export function planText(
  plan: {readonly spec: string; readonly contract: string},
  files: {readonly spec: string; readonly contract: string},
): string {
  return `This task was planned. Its steps are in the task list: one at a time, keep the list up to date, and verify. An evaluator will check the result against the contract.
<specification path="${files.spec}">
${plan.spec.trim()}
</specification>
<contract path="${files.contract}">
${plan.contract.trim()}
</contract>`;
}

const MAX_FINDINGS = 20;
const MAX_CHARS = 2000;

function bullets(lines: readonly string[]): string {
  return lines.length === 0 ? '- none' : lines.map((line) => `- ${line.replaceAll(/\s*\n\s*/g, ' ')}`).join('\n');
}

function priorityOf(severity: string): Todo['priority'] {
  if (/^\s*low/i.test(severity)) return 'low';
  return /^\s*medium/i.test(severity) ? 'medium' : 'high';
}
