import {existsSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {eventsOf, fettle, modelServer, place} from './support.ts';

type Row = Record<string, unknown>;

describe('VT Code › plan mode: enforced at dispatch, with tools left to plan with (VT Code #704)', () => {
  it('looks, writes its plan file and nothing else; what the mode refuses is not a failure', async () => {
    const server = await modelServer([
      ({body}) => {
        const told = (body['messages'] as {content: string}[]).map(({content}) => content).join('\n');
        const path = /Keep the plan in (\S+), the one file you may write/.exec(told)?.[1] ?? '';
        return {
          toolCalls: [
            {name: 'bash', arguments: {command: 'cat a.txt | wc -l'}},
            {name: 'bash', arguments: {command: 'touch b.txt'}},
            {name: 'write', arguments: {path: 'b.txt', content: 'x'}},
            {name: 'write', arguments: {path, content: '1. Do it\n'}},
          ],
        };
      },
      {text: 'The plan stands.'},
    ]);
    const at = await place({'a.txt': 'one\n'}, server.config);
    const finished = await fettle(at, ['exec', '--json', '--mode', 'plan', 'plan it']);
    const events = eventsOf(finished);
    const outputs = events
      .map(({item}) => item as Row | undefined)
      .filter((item) => item?.['type'] === 'tool_output')
      .map((item) => [item?.['is_error'], String(item?.['output']).split('\n')[0]]);
    const id = String(events[0]?.['thread_id']);
    expect(server.violations).toEqual([]);
    expect({code: finished.code, outputs, written: existsSync(join(at.work, 'b.txt'))}).toEqual({
      code: 0,
      outputs: [
        [false, '1'],
        [true, expect.stringContaining('mode plan')],
        [true, expect.stringContaining('mode plan')],
        [false, `Created .fettle/tasks/${id}/plan.md (9 bytes).`],
      ],
      written: false,
    });
    expect(await readFile(join(at.work, '.fettle/tasks', id, 'plan.md'), 'utf8')).toBe('1. Do it\n');
  });
});
