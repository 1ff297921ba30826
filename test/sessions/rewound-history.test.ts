import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import {createHistory, historyFromEvents} from '../../src/sessions/history.ts';

const turn = (id: string, text: string): ThreadEvent[] => [
  {type: 'turn.started', thread_id: 't', turn_id: id},
  {type: 'item.completed', turn_id: id, item: {id: `u${id}`, type: 'user_message', text}},
  {type: 'item.completed', turn_id: id, item: {id: `a${id}`, type: 'agent_message', text: `re: ${text}`, request_id: `r${id}`}},
];
const rewound = (to: string, id: string): ThreadEvent => ({type: 'thread.rewound', thread_id: 't', to, checkpoint_id: id});

function texts(...events: readonly (ThreadEvent | ThreadEvent[])[]): string[] {
  return historyFromEvents(events.flat()).map((message) => (message.role === 'user' ? message.text : message.role));
}

describe('thread.rewound', () => {
  const [one, two, three] = [turn('1', 'one'), turn('2', 'two'), turn('3', 'three')];

  it('the conversation goes on from before the turn, and the rewinding can be rewound', () => {
    expect(texts(one, two, three, rewound('2', 'c1'))).toEqual(['one', 'assistant']);
    expect(texts(one, two, rewound('2', 'c1'), three)).toEqual(['one', 'assistant', 'three', 'assistant']);
    expect(texts(one, two, three, rewound('2', 'c1'), rewound('c1', 'c2'))).toEqual([
      'one',
      'assistant',
      'two',
      'assistant',
      'three',
      'assistant',
    ]);
    expect(texts(one, two, rewound('1', 'c1'), rewound('c1', 'c2'), rewound('2', 'c3'))).toEqual(['one', 'assistant']);
  });

  it('to before a compaction: what was compacted is there again', () => {
    const summary = {role: 'user' as const, text: 'summary'};
    const compacted: ThreadEvent = {
      type: 'thread.compact_boundary',
      thread_id: 't',
      trigger: 'auto',
      mode: 'local',
      original_message_count: 4,
      compacted_message_count: 1,
      messages: [summary],
    };
    expect(texts(one, two, compacted, three)).toEqual(['summary', 'three', 'assistant']);
    expect(texts(one, two, compacted, three, rewound('3', 'c1'))).toEqual(['summary']);
    expect(texts(one, two, compacted, three, rewound('2', 'c1'))).toEqual(['one', 'assistant']);
  });

  it('not beyond the compaction before the last one: memory stays bounded, and `reaches` says so', () => {
    const history = createHistory();
    const summary = {role: 'user' as const, text: 'summary'};
    const boundary: ThreadEvent = {
      type: 'thread.compact_boundary',
      thread_id: 't',
      trigger: 'auto',
      mode: 'local',
      original_message_count: 4,
      compacted_message_count: 1,
      messages: [summary],
    };
    for (const event of [...one, boundary, ...two, boundary, ...three]) history.apply(event);
    expect(['1', '2', '3', '9'].map((id) => history.reaches(id))).toEqual([false, true, true, false]);
  });

  it('a turn that is not known changes nothing', () => {
    expect(texts(one, rewound('9', 'c1'))).toEqual(['one', 'assistant']);
  });
});
