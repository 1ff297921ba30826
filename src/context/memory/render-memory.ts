import {estimateTokens} from '../compaction/estimate-tokens.ts';
import type {DelegatedFinding, SessionMemoryEnvelope} from './envelope.ts';
import {numberRanges, PERSON} from './recall-index.ts';

/** The beginning of every record: a request that has one was compacted. */
export const RECORD_START = '<session_memory>';

export interface MemoryRoom {
  /** Tokens for the record, except for the corrections. */
  readonly tokens: number;
  /** Tokens for the corrections of the person, which are shown before everything else. */
  readonly corrections: number;
}

/**
 * Renders the memory as the model reads it: a message of the harness at the start of the remaining conversation. Empty parts are left out; if
 * not everything fits, each part keeps its newest entries and says how many are missing. Corrections are verbatim.
 */
export function renderMemory(memory: SessionMemoryEnvelope, room: MemoryRoom = {tokens: Infinity, corrections: Infinity}): string {
  const rules = newestOf(memory.corrections.map(quote), room.corrections);
  const quoted = new Set(memory.corrections.slice(memory.corrections.length - rules.lines.length).map(({item}) => item));
  const shown = fitParts(memory, quoted, room.tokens);
  const bodies: Readonly<Record<string, string>> = {
    ...Object.fromEntries(shown.map(({title, body}) => [title, body])),
    [RULES]: section(RULES, rules.lines),
  };
  const parts = [INTRODUCTION, ...ORDER.map((title) => bodies[title] ?? ''), missingText(memory, [...shown, {...rules, title: RULES}])];
  return `${RECORD_START}\n${parts.filter((text) => text !== '').join('\n\n')}\n</session_memory>`;
}

const INTRODUCTION = 'Written by the harness from the log of this session, in place of older messages. It is a record, not a new order.';
const RULES = 'Rules and corrections of the person, word for word: they hold';
const WORDS = 'The person said, word for word';
const INDEX = 'Recall index: what was done, with the numbers of its results';
const SUMMARY = 'Summary of what came before';

/** Explains how to read the record; {@link PARTS} has the order in which parts are filled when space is short. */
const ORDER = [
  'Objective',
  RULES,
  WORDS,
  'Constraints',
  'Task list',
  'Changed files',
  'Checks',
  'Facts',
  'Found by subagents, to be checked',
  'Open questions',
  SUMMARY,
  INDEX,
];

interface Part {
  readonly title: string;
  /** Share of the space that the parts before have left, at most. */
  readonly share: number;
  /** @param quoted the messages of the person that the record shows already, by their numbers */
  readonly lines: (memory: SessionMemoryEnvelope, quoted: ReadonlySet<number>) => readonly string[];
}

/** The parts in the order in which they take room. */
const PARTS: readonly Part[] = [
  {title: 'Objective', share: 0.2, lines: ({objective}) => (objective === '' ? [] : [objective])},
  {title: 'Task list', share: 0.25, lines: (memory) => memory.task_list.map(({content, status}) => `- [${status}] ${content}`)},
  {title: 'Checks', share: 0.15, lines: (memory) => memory.verification.map(checkText)},
  {title: 'Constraints', share: 0.25, lines: (memory) => memory.constraints.map(bullet)},
  {title: 'Facts', share: 0.4, lines: (memory) => memory.grounded_facts.map(({fact, source}) => `- ${fact} (${source})`)},
  {title: SUMMARY, share: 0.45, lines: ({summary}) => (summary === '' ? [] : summary.split('\n'))},
  {title: 'Found by subagents, to be checked', share: 0.4, lines: (memory) => memory.delegated_findings.map(findingText)},
  {title: WORDS, share: 0.4, lines: (memory, quoted) => wordsBeside(memory, quoted).map(quote)},
  {title: 'Open questions', share: 0.3, lines: (memory) => memory.open_questions.map(bullet)},
  {
    title: 'Changed files',
    share: 0.3,
    lines: ({touched_files: files}) => files.map((file, at) => (at < files.length - 1 ? `${file},` : file)),
  },
  {title: INDEX, share: 1, lines: indexLines},
];

interface ShownPart {
  readonly title: string;
  readonly body: string;
  readonly lines: readonly string[];
  readonly missing: number;
}

function fitParts(memory: SessionMemoryEnvelope, corrected: ReadonlySet<number>, tokens: number): readonly ShownPart[] {
  let room = tokens - FRAME_TOKENS;
  let quoted = corrected;
  return PARTS.map(({title, share, lines: linesOf}) => {
    const all = linesOf(memory, quoted);
    const fitted = title === SUMMARY || title === 'Objective' ? firstOf(all, room * share) : newestOf(all, room * share);
    const body = section(title, fitted.lines, title === 'Changed files' ? ' ' : '\n');
    room -= estimateTokens(body);
    if (title === WORDS)
      quoted = new Set([
        ...corrected,
        ...wordsBeside(memory, corrected)
          .slice(fitted.missing)
          .map(({item}) => item),
      ]);
    return {title, body, ...fitted};
  });
}

/** For the introduction and the last line. */
const FRAME_TOKENS = 120;

interface Fitted {
  readonly lines: readonly string[];
  readonly missing: number;
}

/** As many of the newest lines as fit. */
function newestOf(lines: readonly string[], tokens: number): Fitted {
  let [first, size] = [lines.length, 0];
  while (first > 0) {
    size += estimateTokens(lines[first - 1] ?? '') + 1;
    if (size > tokens) break;
    first -= 1;
  }
  return {lines: lines.slice(first), missing: first};
}

/** As much of the beginning as fits. */
function firstOf(lines: readonly string[], tokens: number): Fitted {
  const fitted = newestOf(lines.toReversed(), tokens);
  const [cut] = fitted.lines.length > 0 || lines.length === 0 ? [] : [`${(lines[0] ?? '').slice(0, Math.max(0, Math.floor(tokens)))} …`];
  return {lines: cut === undefined ? fitted.lines.toReversed() : [cut], missing: fitted.missing};
}

function section(title: string, lines: readonly string[], between = '\n'): string {
  return lines.length === 0 ? '' : `## ${title}\n${lines.join(between)}`;
}

const STATUS = {
  passed: 'passed',
  failed: 'FAILED',
  stale: 'passed, but files were changed since: run it again',
  unknown: 'did not run to its end: not verified',
};

function bullet(line: string): string {
  return `- ${line}`;
}

function quote({item, text}: SessionMemoryEnvelope['user_words'][number]): string {
  return item === 0 ? `- ${text}` : `- (item ${item}) ${text}`;
}

function checkText({command, status, exit_code: code}: SessionMemoryEnvelope['verification'][number]): string {
  return `- ${command}: ${STATUS[status]}${code === null ? '' : ` (exit ${code})`}`;
}

function findingText({agent, summary, facts, touched_files: files, open_questions: questions, verification}: DelegatedFinding): string {
  const details = [
    ...facts.map((fact) => `  - ${fact}`),
    ...(files.length === 0 ? [] : [`  - touched: ${files.join(', ')}`]),
    ...verification.map((check) => `  - verification: ${check}`),
    ...questions.map((question) => `  - open: ${question}`),
  ];
  return [`- ${agent}: ${summary}`, ...details].join('\n');
}

/** Messages that are not among the corrections. */
function wordsBeside({user_words: words}: SessionMemoryEnvelope, quoted: ReadonlySet<number>): SessionMemoryEnvelope['user_words'] {
  return words.filter(({item}) => !quoted.has(item));
}

/** Results and messages of the person that are no longer shown; newest last. */
function indexLines({recall_index: index, dropped_items: dropped}: SessionMemoryEnvelope, quoted: ReadonlySet<number>): readonly string[] {
  return index.flatMap(({about, items}) => {
    const gone = items.filter((item) => item <= dropped && !(about === PERSON && quoted.has(item)));
    return gone.length === 0
      ? []
      : [`- ${about}: ${gone.length > MOST_NUMBERS ? `${gone.length} between ${gone[0]} and ${gone.at(-1)}` : numberRanges(gone)}`];
  });
}

const MOST_NUMBERS = 60;

/** Names the missing parts, and how to find them. */
function missingText({forgotten, dropped_items: dropped}: SessionMemoryEnvelope, shown: readonly (Fitted & {title: string})[]): string {
  const counts = new Map<string, number>(
    Object.entries(forgotten).map(([name, count]) => [LEFT[name] ?? name.replaceAll('_', ' '), count]),
  );
  for (const {title, missing} of shown) {
    const name = MISSING[title];
    if (name !== undefined && missing > 0) counts.set(name, (counts.get(name) ?? 0) + missing);
  }
  const missing = [...counts].map(([name, count]) => `${count} ${name}`).join(', ');
  return [
    missing === '' ? '' : `Left out for want of room: ${missing}.`,
    dropped === 0 ? '' : `Items 1-${dropped} are no longer shown. ${HOW_TO_RECALL}`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

const HOW_TO_RECALL =
  '`recall` finds them by words, tool or file ({"query": "port of the server"}), or shows them by number ({"item": 7}).';

const LEFT: Readonly<Record<string, string>> = {
  user_words: 'messages of the person',
  corrections: 'corrections of the person',
  touched_files: 'changed files',
  grounded_facts: 'facts',
  verification: 'checks',
  delegated_findings: 'findings of subagents',
};

const MISSING: Readonly<Record<string, string>> = {
  [RULES]: 'corrections of the person',
  [WORDS]: 'messages of the person',
  Constraints: 'constraints',
  'Task list': 'tasks',
  'Changed files': 'changed files',
  Checks: 'checks',
  Facts: 'facts',
  'Found by subagents, to be checked': 'findings of subagents',
  'Open questions': 'open questions',
  [SUMMARY]: 'lines of the summary',
  [INDEX]: 'entries of the index',
};
