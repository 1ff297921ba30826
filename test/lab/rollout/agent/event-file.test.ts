import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createEventFile} from '../../../../src/lab/rollout/agent/event-file.ts';
import {scratch} from '../../../support/scratch.ts';

describe('the events of an agent', () => {
  it('are written by line, without deltas, however they arrive', async () => {
    const file = join(await scratch(), 'events.jsonl');
    const heard: string[] = [];
    const events = createEventFile(file, (line) => heard.push(line));
    for (const part of ['{"a"', ':1}\n{"type":"item.updated"}\n{"b":', '2}\n', '\nlast']) events.push(part);
    events.close();
    expect(heard).toEqual(['{"a":1}', '{"type":"item.updated"}', '{"b":2}', '', 'last']);
    expect(await readFile(file, 'utf8')).toBe('{"a":1}\n{"b":2}\n\nlast\n');
  });

  it('may be a line without an end, of which no more than 64 Mi characters are kept', async () => {
    const heard: number[] = [];
    const events = createEventFile(join(await scratch(), 'events.jsonl'), (line) => heard.push(line.length));
    const part = 'x'.repeat(1024 * 1024);
    for (let count = 0; count < 700; count += 1) events.push(part);
    events.push('y\nz\n');
    events.close();
    expect(heard).toEqual([64 * 1024 * 1024, 1]);
  });
});
