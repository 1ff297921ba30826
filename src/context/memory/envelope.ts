import * as z from 'zod/mini';
import {MEMORY_VERSION} from '../../protocol/memory-version.ts';

const Text = z.string();
const Lines = z.array(Text);

/** A statement and its source: a place in the code, a command, a person, a subagent. */
const Fact = z.looseObject({fact: Text, source: Text});

/** The newest result of a command that checks something; `stale` after a later change of a file. */
const Check = z.looseObject({command: Text, status: z.enum(['passed', 'failed', 'stale', 'unknown']), exit_code: z.nullable(z.number())});

/** A finding of a subagent; advisory, until the thread that started it has checked. */
const Delegated = z.looseObject({
  agent: Text,
  summary: Text,
  facts: Lines,
  touched_files: Lines,
  open_questions: Lines,
  verification: Lines,
});

/**
 * The working memory of a session (VT Code architecture › SessionMemoryEnvelope): the facts that must not be
 * lost when old messages leave the window of the model, when a session is resumed, or forked with a summary. It
 * is a projection of the event log.
 */
export const SessionMemoryEnvelope = z.looseObject({
  schema_version: z.literal(MEMORY_VERSION),
  session_id: Text,
  objective: Text,
  /** Messages of the person, verbatim, oldest first. */
  user_words: z.array(z.looseObject({item: z.number(), text: Text})),
  /** Corrections and rules of the person, word for word, oldest first: they stay when other words have to go. Absent in older logs. */
  corrections: z._default(z.array(z.looseObject({item: z.number(), text: Text})), []),
  constraints: Lines,
  touched_files: Lines,
  grounded_facts: z.array(Fact),
  verification: z.array(Check),
  delegated_findings: z.array(Delegated),
  open_questions: Lines,
  task_list: z.array(z.looseObject({content: Text, status: Text})),
  /** Summary of the messages that were dropped. */
  summary: Text,
  /** Items up to this number are no longer in the window of the model, but for those that are quoted here. */
  dropped_items: z.number(),
  /** Earlier calls and their subjects, with the numbers of their newest results. Absent in older logs. */
  recall_index: z._default(z.array(z.looseObject({about: Text, items: z.array(z.number())})), []),
  /** The number of entries dropped from each list. */
  forgotten: z.record(z.string(), z.number()),
});
export type SessionMemoryEnvelope = z.infer<typeof SessionMemoryEnvelope>;
export type GroundedFact = z.infer<typeof Fact>;
export type RememberedCheck = z.infer<typeof Check>;
export type RecallEntry = SessionMemoryEnvelope['recall_index'][number];
export type DelegatedFinding = z.infer<typeof Delegated>;

export function emptyEnvelope(sessionId: string): SessionMemoryEnvelope {
  return {
    schema_version: MEMORY_VERSION,
    session_id: sessionId,
    objective: '',
    user_words: [],
    corrections: [],
    constraints: [],
    touched_files: [],
    grounded_facts: [],
    verification: [],
    delegated_findings: [],
    open_questions: [],
    task_list: [],
    summary: '',
    dropped_items: 0,
    recall_index: [],
    forgotten: {},
  };
}
