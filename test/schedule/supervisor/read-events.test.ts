import {isDeepStrictEqual} from 'node:util';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createEventReader, type EventReport} from '../../../src/schedule/supervisor/read-events.ts';

const message = (text: string): string => JSON.stringify({type: 'item.completed', item: {id: '1', type: 'agent_message', text}});

function reportOf(text: string, cuts: readonly number[] = []): EventReport {
  const reader = createEventReader();
  const bytes = Buffer.from(text);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  for (const [index, place] of places.slice(1).entries()) reader.push(bytes.subarray(places[index], place));
  return reader.report();
}

describe('the events of a run', () => {
  const lines = [
    '{"type":"turn.started"}',
    message('First.'),
    'no JSON agent_message',
    '{"type":"item.completed","item":{"type":"user_message","text":"agent_message"}}',
    message('Zuletzt: ünïcödé 🦊'),
    '{"type":"turn.failed","message":"The limit of 3 turns is reached."}',
    '',
  ].join('\n');

  it('give the last message and the reason of the failure, however they are cut', () => {
    const expected = {lastMessage: 'Zuletzt: ünïcödé 🦊', failure: 'The limit of 3 turns is reached.'};
    expect(reportOf(lines)).toEqual(expected);
    fc.assert(fc.property(fc.array(fc.nat(), {maxLength: 20}), (cuts) => isDeepStrictEqual(reportOf(lines, cuts), expected)));
  });

  it('of a further turn take the failure of the one before back', () => {
    expect(reportOf(`${lines}{"type":"turn.started"}\n`)).toEqual({lastMessage: 'Zuletzt: ünïcödé 🦊', failure: undefined});
  });

  it('may be anything: a line without end is not kept', () => {
    const reader = createEventReader();
    for (let count = 0; count < 6; count += 1) reader.push(Buffer.alloc(2 ** 20, '"agent_message"'));
    reader.push(Buffer.from(`\n${message('After.')}\n`));
    expect(reader.report()).toEqual({lastMessage: 'After.'});
    fc.assert(fc.property(fc.string(), (text) => isDeepStrictEqual(reportOf(`${text}\n`), {})));
  });
});
