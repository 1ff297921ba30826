import type {ThreadEvent} from '../../protocol/events.ts';
import type {MemoryNote} from '../memory/session-memory.ts';

export interface ParsedSummary {
  /** The sections that are for reading, as they were written. */
  readonly text: string;
  readonly note: MemoryNote;
}

/** Takes facts, constraints and questions out of a summary; all else stays text. Undefined if it is not a summary: empty, or one phrase. */
export function parseSummary(reply: string): ParsedSummary | undefined {
  const text = reply.trim().slice(0, MAX_CHARS);
  if (text.length < MIN_CHARS) return undefined;
  const sections = sectionsOf(text);
  const kept = sections.filter(({title}) => !NOTED.has(plain(title))).map(sectionText);
  return {
    text: kept.join('\n').trim(),
    note: {
      facts: bullets(named(sections, 'facts')).map(factOf),
      constraints: bullets(named(sections, 'constraints')),
      open_questions: bullets(named(sections, 'open questions')),
    },
  };
}

/** The event that puts a summary into the memory. */
export function noteOf(threadId: string, {text, note}: ParsedSummary): ThreadEvent {
  const {facts = [], constraints = [], open_questions: questions = []} = note;
  return {
    type: 'memory.noted',
    thread_id: threadId,
    summary: text,
    facts: [...facts],
    constraints: [...constraints],
    open_questions: [...questions],
  };
}

const MIN_CHARS = 40;
const MAX_CHARS = 16_000;
const NOTED: ReadonlySet<string> = new Set(['facts', 'constraints', 'open questions']);

interface Section {
  readonly title: string;
  readonly lines: string[];
}

function sectionsOf(text: string): readonly Section[] {
  const sections: Section[] = [{title: '', lines: []}];
  for (const line of text.split('\n')) {
    const title = /^#{1,4}\s+(.*\S)\s*$/.exec(line)?.[1];
    if (title === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({title, lines: []});
  }
  return sections.filter(({lines}) => lines.some((line) => line.trim() !== ''));
}

function named(sections: readonly Section[], name: string): readonly string[] {
  return sections.filter(({title}) => plain(title) === name).flatMap(({lines}) => lines);
}

function plain(title: string): string {
  return title.toLowerCase().replace(/:$/, '');
}

function sectionText({title, lines}: Section): string {
  const body = lines.join('\n').trim();
  return title === '' ? body : `### ${title}\n${body}`;
}

function bullets(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const text = /^\s*[-*•]\s+(.*\S)/.exec(line)?.[1];
    return text === undefined || /^(?:none|n\/a)\.?$/i.test(text) ? [] : [text];
  });
}

/** `the port is 8080 (src/a.ts:12)` or `… [src/a.ts:12]`. */
function factOf(line: string): {fact: string; source: string} {
  const match = /^(.*\S)\s*[([]([^()[\]]{2,200})[)\]]\.?$/.exec(line);
  return {fact: match?.[1] ?? line, source: match?.[2] ?? 'summary'};
}
