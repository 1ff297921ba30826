import type {DelegatedFinding} from '../../context/memory/envelope.ts';

/** Instructions for the last message of a subagent (VT Code › delegation › return contract). */
export const REPORT_FORM = `End with a report, unless the task asks for another form:
## Summary
## Facts (each with its place as path:line)
## Touched files
## Verification (each command and how it ended)
## Open questions
Short bullets; "- None" where there is nothing.`;

/**
 * Parses the last message of a subagent, if it follows the form: headings in any case, level and order, bullets
 * or lines. Text without such headings is a note: the whole text becomes the summary, without claims (VT Code ›
 * delegation: "non-conforming text → raw note").
 */
export function parseFindings(agent: string, text: string): DelegatedFinding {
  const sections = new Map<string, string[]>();
  let current: string[] | undefined;
  const before: string[] = [];
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const name = sectionOf(line);
    if (name === undefined) (current ?? before).push(line);
    else {
      current = sections.get(name) ?? [];
      sections.set(name, current);
      const rest = line.startsWith('#') ? '' : line.replace(/^[^:]*(?::|$)[*\s]*/, '');
      if (rest !== '') current.push(rest);
    }
  }
  const bullets = (name: string): string[] => bulletsOf(sections.get(name) ?? []);
  if (sections.size === 0)
    return {agent, summary: clipped(text.trim()), facts: [], touched_files: [], verification: [], open_questions: []};
  return {
    agent,
    summary: clipped((bullets('summary').join('\n') || before.join('\n')).trim()),
    facts: bullets('facts'),
    touched_files: bullets('touched_files').map(pathOf),
    verification: bullets('verification'),
    open_questions: bullets('open_questions'),
  };
}

/** Most characters of the summary and of one bullet, and most bullets. */
const MAX_SUMMARY = 4000;
const MAX_BULLET = 600;
const MAX_BULLETS = 40;

const SECTIONS: Readonly<Record<string, string>> = {
  summary: 'summary',
  result: 'summary',
  facts: 'facts',
  findings: 'facts',
  'touched files': 'touched_files',
  'files touched': 'touched_files',
  'changed files': 'touched_files',
  'files changed': 'touched_files',
  verification: 'verification',
  checks: 'verification',
  'open questions': 'open_questions',
  questions: 'open_questions',
};

/** `## Touched Files`, `**Facts:**`, `Open questions: …`. */
function sectionOf(line: string): string | undefined {
  const [, mark = '', words = ''] = /^\s{0,3}(#{1,6}\s+|\*\*|)(.{0,200})/.exec(line) ?? [];
  const title = /^[A-Za-z ]*/.exec(words)?.[0] ?? '';
  // A line without heading marks may begin with such a word by chance.
  const isHeading = mark !== '' || words.startsWith(':', title.length);
  return isHeading ? SECTIONS[title.trim().toLowerCase()] : undefined;
}

function bulletsOf(lines: readonly string[]): string[] {
  const bullets: string[] = [];
  for (const line of lines) {
    const text = /^\s*(?:[-*•]|\d+[.)])\s+(.*)$/.exec(line)?.[1];
    const words = (text ?? line).trim();
    if (words === '' || /^none\.?$/i.test(words)) continue;
    const last = bullets.at(-1);
    if (text === undefined && last !== undefined && /^\s+\S/.test(line)) bullets[bullets.length - 1] = `${last} ${words}`;
    else bullets.push(words);
  }
  return bullets
    .slice(0, MAX_BULLETS)
    .map((bullet) => (bullet.length <= MAX_BULLET ? bullet : `${bullet.slice(0, MAX_BULLET).toWellFormed()}…`));
}

/** `` `src/a.ts` – renamed `` → `src/a.ts`. */
function pathOf(bullet: string): string {
  return /^`([^`]+)`/.exec(bullet)?.[1] ?? bullet.replace(/\s+(?:[-–—:(]).*$/s, '').replace(/:$/, '');
}

function clipped(text: string): string {
  return text.length <= MAX_SUMMARY ? text : `${text.slice(0, MAX_SUMMARY).toWellFormed()}…`;
}
