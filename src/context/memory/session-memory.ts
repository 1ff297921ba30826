import type {ThreadEvent} from '../../protocol/events.ts';
import type {ThreadItem} from '../../protocol/items.ts';
import {keepNewest, type ListBound} from './bounded-list.ts';
import {isCheckCommand, inspectsOnly} from './check-command.ts';
import {correctionIn} from './corrections.ts';
import {emptyEnvelope, SessionMemoryEnvelope, type RememberedCheck, type DelegatedFinding, type GroundedFact} from './envelope.ts';

/** A new memory: of a summary of old messages, or of a subagent. Logged as the event `memory.noted`, so that a resumed session has it. */
export interface MemoryNote {
  /** Replaces the one before. */
  readonly summary?: string | undefined;
  readonly facts?: readonly GroundedFact[] | undefined;
  readonly constraints?: readonly string[] | undefined;
  /** Replaces those that were open. */
  readonly open_questions?: readonly string[] | undefined;
  readonly delegated?: DelegatedFinding | undefined;
  readonly touched_files?: readonly string[] | undefined;
}

/** The memory of one session, kept up to date event by event; corrections are looked for when it is asked for. The log is the source of truth: the same events give the same memory. */
export interface SessionMemory {
  /** Takes every finished event of the thread, in order. */
  observe(event: ThreadEvent): void;
  envelope(): SessionMemoryEnvelope;
}

export function createSessionMemory(sessionId: string): SessionMemory {
  let memory = emptyEnvelope(sessionId);
  let items = 0;
  /** The command that the harness verifies with now. */
  let checking: string | undefined;
  /** Snapshots at the start of the newest turns, and before each rewind of them. */
  const marks = new Map<string, SessionMemoryEnvelope>();
  /** Messages of the person since the memory was last asked for: the first request does not wait until they are read for corrections. */
  let unread: UnreadWords[] = [];
  const settled = (): SessionMemoryEnvelope => {
    memory = unread.reduce(withCorrection, memory);
    unread = [];
    return memory;
  };
  const mark = (id: string): void => {
    marks.set(id, settled());
    const [oldest] = marks.keys();
    if (marks.size > MARKS && oldest !== undefined) marks.delete(oldest);
  };
  return {
    observe(event) {
      if (event.type === 'item.completed') {
        items += 1;
        if (event.item.type === 'harness' && event.item.event === 'verification_started') checking = event.item.command;
        memory = withItem(memory, event.item, {number: items, checking});
        if (isPersons(event.item)) unread.push({item: items, text: event.item.text});
      } else if (event.type === 'memory.noted') memory = withNote(memory, event);
      else if (event.type === 'thread.compact_boundary' && event.memory !== undefined) memory = recalled(settled(), event.memory);
      else if (event.type === 'turn.started') mark(event.turn_id);
      else if (event.type === 'thread.rewound') {
        mark(event.checkpoint_id);
        memory = marks.get(event.to) ?? memory;
      }
    },
    envelope: settled,
  };
}

const MARKS = 100;

/** Reads the memory of a boundary. It was made from the same log, but maybe by another version or before a fork, so it is validated. */
function recalled(memory: SessionMemoryEnvelope, carried: unknown): SessionMemoryEnvelope {
  const parsed = SessionMemoryEnvelope.safeParse(carried);
  return parsed.success ? {...parsed.data, session_id: memory.session_id} : memory;
}

interface Place {
  /** Number of the item, from 1. */
  readonly number: number;
  readonly checking: string | undefined;
}

function withItem(memory: SessionMemoryEnvelope, item: ThreadItem, {number, checking}: Place): SessionMemoryEnvelope {
  switch (item.type) {
    case 'user_message':
      return isPersons(item) ? withWords(memory, item.text, number) : memory;
    case 'file_change':
      return item.status === 'completed' ? withChanges(memory, item.changes) : memory;
    case 'command_execution':
      if (item.command === checking || isCheckCommand(item.command)) return withCheck(memory, item.command, item.exit_code ?? null);
      return inspectsOnly(item.command) ? memory : withStaleChecks(memory);
    case 'harness':
      return withVerification(memory, item);
    case 'todo_list':
      return {...memory, task_list: item.items.map(({content, status}) => ({content, status}))};
    default:
      return memory;
  }
}

function withWords(memory: SessionMemoryEnvelope, text: string, item: number): SessionMemoryEnvelope {
  const words = memory.user_words;
  const entry = {item, text: clipped(text, WORDS_PER_INPUT)};
  const objective = memory.objective === '' ? clipped(text, OBJECTIVE) : memory.objective;
  return bounded({...memory, objective}, 'user_words', keepNewest(words, [entry], USER_WORDS));
}

function isPersons(item: ThreadItem): item is Extract<ThreadItem, {type: 'user_message'}> {
  return item.type === 'user_message' && item.origin !== 'harness';
}

interface UnreadWords {
  readonly item: number;
  readonly text: string;
}

function withCorrection(memory: SessionMemoryEnvelope, {item, text}: UnreadWords): SessionMemoryEnvelope {
  const correction = correctionIn(text);
  if (correction === undefined) return memory;
  return bounded(memory, 'corrections', keepNewest(memory.corrections, [{item, text: correction}], CORRECTIONS));
}

function withChanges(memory: SessionMemoryEnvelope, changes: readonly {readonly path: string}[]): SessionMemoryEnvelope {
  const paths = changes.map(({path}) => path);
  return bounded(withStaleChecks(memory), 'touched_files', keepNewest(memory.touched_files, paths, FILES));
}

/** Marks passed checks as stale: they were true of other files. */
function withStaleChecks(memory: SessionMemoryEnvelope): SessionMemoryEnvelope {
  if (!memory.verification.some(({status}) => status === 'passed')) return memory;
  const verification = memory.verification.map((check) => (check.status === 'passed' ? {...check, status: 'stale' as const} : check));
  return {...memory, verification};
}

function withCheck(memory: SessionMemoryEnvelope, command: string, exitCode: number | null): SessionMemoryEnvelope {
  // A command without an exit code did not finish: that is not a pass.
  const status = exitCode === 0 ? 'passed' : exitCode === null ? 'unknown' : 'failed';
  const check: RememberedCheck = {command: clipped(command, COMMAND), status, exit_code: exitCode};
  return bounded(memory, 'verification', keepNewest(memory.verification, [check], CHECKS));
}

function withVerification(memory: SessionMemoryEnvelope, item: Extract<ThreadItem, {type: 'harness'}>): SessionMemoryEnvelope {
  const ended = item.event === 'verification_passed' || item.event === 'verification_failed';
  if (!ended || item.command === undefined) return memory;
  return withCheck(memory, item.command, item.exit_code ?? null);
}

function withNote(memory: SessionMemoryEnvelope, note: MemoryNote): SessionMemoryEnvelope {
  let next = note.summary === undefined ? memory : {...memory, summary: clipped(note.summary, SUMMARY)};
  if (note.facts !== undefined) next = bounded(next, 'grounded_facts', keepNewest(next.grounded_facts, note.facts, FACTS));
  if (note.constraints !== undefined) next = bounded(next, 'constraints', keepNewest(next.constraints, note.constraints, LINES));
  if (note.open_questions !== undefined) next = bounded(next, 'open_questions', keepNewest([], note.open_questions, LINES));
  if (note.touched_files !== undefined) next = bounded(next, 'touched_files', keepNewest(next.touched_files, note.touched_files, FILES));
  if (note.delegated !== undefined) {
    next = bounded(next, 'delegated_findings', keepNewest(next.delegated_findings, [note.delegated], DELEGATED));
  }
  return next;
}

type ListName = {[K in keyof SessionMemoryEnvelope]: SessionMemoryEnvelope[K] extends readonly unknown[] ? K : never}[
  | 'user_words'
  | 'corrections'
  | 'constraints'
  | 'touched_files'
  | 'grounded_facts'
  | 'verification'
  | 'delegated_findings'
  | 'open_questions'];

/** Replaces a list, and counts the entries that had to leave it. */
function bounded<K extends ListName>(
  memory: SessionMemoryEnvelope,
  name: K,
  kept: {readonly entries: readonly SessionMemoryEnvelope[K][number][]; readonly forgotten: number},
): SessionMemoryEnvelope {
  const forgotten = kept.forgotten === 0 ? memory.forgotten : {...memory.forgotten, [name]: (memory.forgotten[name] ?? 0) + kept.forgotten};
  return {...memory, forgotten, [name]: kept.entries};
}

function clipped(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)} … (${text.length - most} more characters)`;
}

/** Characters. */
const OBJECTIVE = 2000;
const WORDS_PER_INPUT = 4000;
const COMMAND = 400;
const SUMMARY = 16_000;

const itself = (text: string): string => text;
const USER_WORDS: ListBound<SessionMemoryEnvelope['user_words'][number]> = {
  entries: 60,
  characters: 24_000,
  textOf: ({item, text}) => `${item} ${text}`,
};
/** More than any window but the largest could show; the final selection is made when it is rendered. */
const CORRECTIONS: typeof USER_WORDS = {...USER_WORDS, entries: 400, characters: 60_000};
const LINES: ListBound<string> = {entries: 30, characters: 6000, textOf: itself};
const FILES: ListBound<string> = {entries: 300, characters: 20_000, textOf: itself};
const FACTS: ListBound<GroundedFact> = {entries: 100, characters: 16_000, textOf: ({fact}) => fact};
const CHECKS: ListBound<RememberedCheck> = {entries: 20, characters: 4000, textOf: ({command}) => command};
const DELEGATED: ListBound<DelegatedFinding> = {
  entries: 20,
  characters: 24_000,
  textOf: ({agent, summary, facts, open_questions: questions}) => [agent, summary, ...facts, ...questions].join('\n'),
};
