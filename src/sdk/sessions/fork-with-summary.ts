import {createChildRecord} from '../../agent/delegation/child-record.ts';
import {findingNotes} from '../../agent/delegation/merge-findings.ts';
import {FettleError} from '../../base/errors.ts';
import {newId} from '../../base/ids.ts';
import {compactHistory} from '../../context/compaction/compact-history.ts';
import {splitTail} from '../../context/compaction/split-tail.ts';
import type {SessionMemoryEnvelope} from '../../context/memory/envelope.ts';
import {createSessionMemory} from '../../context/memory/session-memory.ts';
import type {ThreadEvent, ThreadStarted} from '../../protocol/events.ts';
import type {TodoListItem} from '../../protocol/items.ts';
import type {Message} from '../../protocol/messages.ts';
import {createHistory} from '../../sessions/history.ts';
import {readLog} from '../../sessions/log-reader.ts';
import {findSession, type SessionFile} from '../../sessions/session-files.ts';
import {sessionOf} from '../../sessions/session-fork.ts';

/**
 * Creates a new session from the memory, the task list and the newest replies of another one, without the rest
 * of its conversation (VT Code architecture › "summarized fork"). It needs no model. Throws NOT_FOUND,
 * NOT_UNIQUE; IO for a log that cannot be read.
 */
export async function forkWithSummary(stateDir: string, idOrPrefix: string): Promise<SessionFile> {
  const from = findSession(stateDir, idOrPrefix);
  const threadId = newId('thr');
  const memory = createSessionMemory(threadId);
  const history = createHistory();
  const children = createChildRecord();
  let started: ThreadStarted | undefined;
  let todos: TodoListItem | undefined;
  await readLog(from.file, ({event}) => {
    if (event.type === 'thread.started') started ??= event;
    if (event.type === 'item.completed' && event.item.type === 'todo_list') todos = event.item;
    history.apply(event);
    memory.observe(event);
    children.observe(event);
  });
  // Includes findings of a turn that has not ended (seed 002: "delegated facts … survive resume and summarized forks").
  for (const note of findingNotes(threadId, children)) memory.observe(note);
  if (started === undefined) throw new FettleError({code: 'IO', message: `Session ${from.threadId} has no beginning.`});
  const tail = splitTail(history.messages(), TAIL_TOKENS).tail.map(withoutNumbers);
  const compacted = compactHistory({
    tail,
    memory: unnumbered(memory.envelope()),
    items: 0,
    maxTokens: MOST_TOKENS,
    corrections: MOST_TOKENS,
  });
  const events: ThreadEvent[] = [
    {...started, thread_id: threadId, forked_from: from.threadId},
    ...(todos === undefined ? [] : [{type: 'item.completed', item: todos} as const]),
    {
      type: 'thread.compact_boundary',
      thread_id: threadId,
      trigger: 'fork',
      mode: 'mechanical',
      original_message_count: history.messages().length,
      compacted_message_count: compacted.messages.length,
      messages: [...compacted.messages] as unknown as {role: 'user'}[],
      memory: compacted.memory,
    },
  ];
  return await sessionOf(stateDir, threadId, events);
}

/** Item numbers refer to the log that was left. */
function unnumbered(memory: SessionMemoryEnvelope): SessionMemoryEnvelope {
  const withoutNumber = <Words extends {readonly item: number}>(words: Words): Words => ({...words, item: 0});
  const [user_words, corrections] = [memory.user_words.map(withoutNumber), memory.corrections.map(withoutNumber)];
  return {...memory, user_words, corrections, dropped_items: 0, recall_index: []};
}

const TAIL_TOKENS = 8000;
const MOST_TOKENS = 24_000;

/** Item numbers of the other log mean nothing in the new one. */
function withoutNumbers(message: Message): Message {
  if (message.role !== 'tool') return message;
  return {...message, results: message.results.map(({callId, name, text, isError}) => ({callId, name, text, isError}))};
}
