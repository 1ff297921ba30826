import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {encodeLine} from '../../../src/sessions/log-line.ts';
import {kindOfLine, type LineKind} from '../../../src/sessions/resume/line-kind.ts';
import {logged, wholeTurn} from '../events.ts';
import {anyLog} from '../random-log.ts';

const BEFORE = 'the line before\n';
const told = (line: string): LineKind | undefined => {
  const end = BEFORE.length + Buffer.byteLength(line) - 1;
  return kindOfLine(Buffer.from(`${BEFORE}${line}and more`), BEFORE.length, end);
};
const kindOf = (event: ThreadEvent): LineKind => ({event: event.type, item: 'item' in event ? event.item.type : undefined});

describe('what a line is about', () => {
  it('is told of every line of an ordinary turn', () => {
    const lines = logged(wholeTurn());
    expect(lines.map((line) => told(encodeLine(line)))).toEqual(lines.map(({event}) => kindOf(event)));
  });

  it('is what parsing would tell, or nothing (property)', () => {
    fc.assert(
      fc.property(anyLog, (lines) => {
        for (const line of lines) expect([kindOf(line.event), undefined]).toContainEqual(told(encodeLine(line)));
      }),
    );
  });

  it.each([
    ['a torn line', '{"v":1,"seq":1,"ts":"2026","turn":0,"event":{"type":"turn.started","thread_id":"t\n'],
    ['a line whose end was overwritten', '{"v":1,"seq":1,"ts":"2026","turn":0,"event":{"type":"turn.started","thread_id":"t"}\0\n'],
    ['another version', '{"v":2,"seq":1,"ts":"2026","turn":0,"event":{"type":"turn.started"}}\n'],
    ['another order', '{"seq":1,"v":1,"ts":"2026","turn":0,"event":{"type":"turn.started"}}\n'],
    [
      'a type behind something nested',
      '{"v":1,"seq":1,"ts":"2026","turn":0,"event":{"type":"item.completed","item":{"a":{},"type":"plan"}}}\n',
    ],
    [
      'a type behind an escape',
      '{"v":1,"seq":1,"ts":"2026","turn":0,"event":{"type":"item.completed","item":{"id":"\\n","type":"plan"}}}\n',
    ],
    ['no type', '{"v":1,"seq":1,"ts":"2026","turn":0,"event":{"type":"item.completed","item":{"id":"x"}}}\n'],
    [
      'a type that stands far behind',
      `{"v":1,"seq":1,"ts":"2026","turn":0,"event":{"type":"item.completed","item":{"id":"${'x'.repeat(600)}","type":"plan"}}}\n`,
    ],
    ['nothing', '\n'],
  ])('%s has to be parsed', (_name, line) => {
    expect(told(line)).toBe(undefined);
  });

  it('a text that looks like a type is none', () => {
    const item = {id: 'i', type: 'agent_message' as const, text: '","type":"todo_list"'};
    const [line] = logged([{type: 'item.completed', turn_id: '"type":"x"', item}]);
    expect(line === undefined ? '' : told(encodeLine(line))).toBe(undefined);
    const [plain] = logged([{type: 'item.completed', item}]);
    expect(plain === undefined ? '' : told(encodeLine(plain))).toEqual({event: 'item.completed', item: 'agent_message'});
  });
});
