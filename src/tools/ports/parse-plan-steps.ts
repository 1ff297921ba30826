import type {Todo} from './todo-list.ts';

/**
 * Parses the numbered steps of a plan into items of a task list: `1. text -> files: a, b -> verify: command;
 * command` (VT Code › plan mode), or with `- files:`, `- outcome:`, `- verify:` below the step. If a heading
 * names steps, only those below it count. Returns none if nothing is numbered.
 */
export function parsePlanSteps(plan: string): Todo[] {
  const lines = withoutCode(plan.split(/\r?\n/));
  const from = lines.findIndex((line) => STEPS_HEADING.test(line));
  const until = from < 0 ? -1 : lines.findIndex((line, index) => index > from && HEADING.test(line));
  const part = from < 0 ? lines : lines.slice(from + 1, until < 0 ? undefined : until);
  const steps: Step[] = [];
  for (const line of part) {
    const step = /^ {0,3}\d{1,3}[.)]\s+(?<text>\S.*)$/.exec(line)?.groups?.['text'];
    if (step !== undefined) steps.push(stepFrom(step));
    else addDetail(steps.at(-1), line);
  }
  return steps
    .filter(({content}) => content !== '')
    .slice(0, MAX_STEPS)
    .map((step, index) => ({id: String(index + 1), status: 'pending', priority: 'medium', ...step}));
}

const MAX_STEPS = 50;
const MAX_DETAILS = 20;
const MAX_CHARS = 2000;
const HEADING = /^#{1,6}\s/;
const STEPS_HEADING = /^#{1,6}\s.*\b(?:steps?|plan of work|implementation|tasks?)\b/i;

type Step = Pick<Todo, 'content' | 'files' | 'outcome' | 'verify'>;

function withoutCode(lines: readonly string[]): string[] {
  let open = false;
  return lines.filter((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) open = !open;
    return !open && !isFence;
  });
}

function stepFrom(text: string): Step {
  const [content = '', ...details] = text.split(/\s+(?:->|→)\s+(?=(?:files|outcome|verify):)/i);
  const step: Step = {content: content.trim().slice(0, MAX_CHARS)};
  return details.reduce(withDetail, step);
}

function addDetail(step: Step | undefined, line: string): void {
  const detail = /^\s+[-*]\s+(?<detail>(?:files|outcome|verify):.*)$/i.exec(line)?.groups?.['detail'];
  if (step !== undefined && detail !== undefined) Object.assign(step, withDetail(step, detail));
}

function withDetail(step: Step, detail: string): Step {
  const at = detail.indexOf(':');
  const key = detail.slice(0, at).toLowerCase();
  const value = detail.slice(at + 1).trim();
  if (value === '') return step;
  if (key === 'outcome') return {...step, outcome: value.slice(0, MAX_CHARS)};
  if (key === 'files') return {...step, files: merged(step.files, partsOf(value, ','))};
  return {...step, verify: merged(step.verify, partsOf(value, ';'))};
}

function merged(earlier: readonly string[] = [], more: readonly string[]): string[] {
  return [...earlier, ...more].slice(0, MAX_DETAILS);
}

/** Splits at separators, or takes parts in backticks; brackets around the whole are dropped. */
function partsOf(value: string, separator: string): string[] {
  const ticked = [...value.matchAll(/`([^`]+)`/g)].map(([, part = '']) => part);
  const bare = /^\[.*\]$/.test(value) ? value.slice(1, -1) : value;
  const parts = ticked.length > 0 ? ticked : bare.split(separator);
  return parts.map((part) => part.trim().slice(0, MAX_CHARS)).filter((part) => part !== '');
}
