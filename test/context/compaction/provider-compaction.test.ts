import {describe, expect, it} from 'vitest';
import type {CompactionOrder} from '../../../src/context/compaction/compaction.ts';
import {createContextWindow} from '../../../src/context/compaction/context-window.ts';
import {createSessionMemory} from '../../../src/context/memory/session-memory.ts';
import type {Compacted, ModelRequest} from '../../../src/models/provider.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {createHistory} from '../../../src/sessions/history.ts';
import {done, stepProvider, text} from '../../agent/support.ts';

const SUMMARY = '## Done\n- looked at everything there is\n## Facts\n- it is big (a.ts:1)';

interface Case {
  readonly compacted?: Compacted;
  readonly compactsFrom?: number;
  readonly order?: CompactionOrder;
  readonly byProvider?: boolean;
}

/** What was asked of the provider, and how the conversation was shortened in the end; its own summary may take several requests. */
async function compacted({compacted: made, compactsFrom, order = {trigger: 'auto'}, byProvider = true}: Case): Promise<unknown> {
  const history = createHistory();
  const memory = createSessionMemory('thr_1');
  const reply = ({compaction}: ModelRequest) => [done([text(SUMMARY)], compaction === undefined ? {} : {compacted: made})];
  const provider = {...stepProvider(Array.from({length: 8}, () => reply)), compactsFrom};
  const emit = (event: ThreadEvent): void => {
    history.apply(event);
    memory.observe(event);
  };
  const frame = {system: 's', tools: [], outputSchema: {type: 'object'}};
  const window = {size: 10_000, maxOutput: 1000};
  const parts = {threadId: 'thr_1', provider, history, memory, window, compactAt: 0.8, frame, emit, onPaid: () => undefined};
  const keeper = createContextWindow({...parts, byProvider});
  emit({type: 'item.completed', turn_id: 't', item: {id: 'u', type: 'user_message', text: 'Say much.'}});
  for (const id of ['a', 'b', 'c']) {
    emit({type: 'item.completed', turn_id: 't', item: {id, request_id: id, type: 'agent_message', text: id.repeat(9000)}});
  }
  const {mode} = await keeper.compact(order, new AbortController().signal);
  const asked = provider.requests.map(({compaction}) => (compaction === undefined ? 'own' : (compaction.wish ?? 'asked')));
  return [[...new Set(asked)], mode];
}

const window = (size: number): Compacted => ({
  window: {role: 'assistant', parts: [{type: 'reasoning', text: '', native: {format: 'openai-responses', data: 'x'.repeat(size)}}]},
});

describe('a provider that shortens conversations', () => {
  it.each<[string, Case, unknown]>([
    ['is asked, and what it made is used', {compactsFrom: 0, compacted: {summary: SUMMARY}}, [['asked'], 'provider']],
    ['its window is used as it came', {compactsFrom: 0, compacted: window(100)}, [['asked'], 'provider']],
    [
      'is told what the person wants kept',
      {compactsFrom: 0, compacted: window(100), order: {trigger: 'manual', instructions: ' a '}},
      [['a'], 'provider'],
    ],
    ['is not asked unless a person wants it', {compactsFrom: 0, byProvider: false}, [['own'], 'local']],
    ['is not asked where it does not offer that', {}, [['own'], 'local']],
    ['is not asked about less than it takes', {compactsFrom: 50_000}, [['own'], 'local']],
    ['is not asked about what did not fit', {compactsFrom: 0, order: {trigger: 'overflow'}}, [['own'], 'local']],
    ['a window that saves too little is not used', {compactsFrom: 0, compacted: window(9000)}, [['asked', 'own'], 'local']],
    ['a summary that is none is not used', {compactsFrom: 0, compacted: {summary: 'ok'}}, [['asked', 'own'], 'local']],
    ['an answer instead of a summary is not used', {compactsFrom: 0}, [['asked', 'own'], 'local']],
  ])('%s', async (_name, given, expected) => {
    expect(await compacted(given)).toEqual(expected);
  });
});
