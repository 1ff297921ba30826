import {readFileSync} from 'node:fs';
import {readFile, readdir, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import {openEventLog} from '../../src/sessions/event-log.ts';
import {encodeLine} from '../../src/sessions/log-line.ts';
import {loadLog} from '../../src/sessions/log-reader.ts';
import {scratch} from '../support/scratch.ts';
import {IS_THOROUGH} from '../support/thorough.ts';
import {logged, started, text, turnCompleted, turnStarted, user, wholeTurn} from './events.ts';

async function append(file: string, events: readonly ThreadEvent[]): Promise<readonly string[]> {
  const log = await openEventLog(file, {create: true});
  for (const event of events) log.append(event);
  await log.sync();
  log.close();
  return log.notes;
}

describe('append', () => {
  it('writes one line an event and counts lines and turns on, also after opening again', async () => {
    const file = join(await scratch(), 'sessions/day/thr_1.jsonl');
    await append(file, [started(), turnStarted(), user('Größe 😀\nnext line')]);
    await append(file, [turnCompleted(), turnStarted('trn_2')]);
    const {events, report} = await loadLog(file);
    expect(report).toEqual({events: 5, broken: []});
    expect(events.map(({v, seq, turn, event}) => ({v, seq, turn, event}))).toEqual([
      {v: 1, seq: 1, turn: 0, event: started()},
      {v: 1, seq: 2, turn: 1, event: turnStarted()},
      {v: 1, seq: 3, turn: 1, event: user('Größe 😀\nnext line')},
      {v: 1, seq: 4, turn: 1, event: turnCompleted()},
      {v: 1, seq: 5, turn: 2, event: turnStarted('trn_2')},
    ]);
    expect(events.every(({ts}) => new Date(ts).toISOString() === ts)).toBe(true);
  });

  it('is in the file when it returns, before any sync', async () => {
    const file = join(await scratch(), 'thr_1.jsonl');
    const log = await openEventLog(file, {create: true});
    log.append(user('now'));
    // Read in the same moment: what waits for its turn could still be lost.
    const written = readFileSync(file, 'utf8');
    expect(written.endsWith('\n') && JSON.parse(written)).toMatchObject({seq: 1, event: user('now')});
    log.close();
  });

  it('does not keep progress', async () => {
    const file = join(await scratch(), 'thr_1.jsonl');
    await append(file, [{type: 'item.updated', item_id: 'i', item_type: 'agent_message', delta: 'a'}, user('u')]);
    expect((await loadLog(file)).events.map(({seq, event}) => ({seq, event}))).toEqual([{seq: 1, event: user('u')}]);
  });

  it('keeps what this version does not know', async () => {
    const file = join(await scratch(), 'thr_1.jsonl');
    const foreign = {type: 'future.event', deep: {list: [1, null, '\ud800']}} as unknown as ThreadEvent;
    await append(file, [foreign]);
    expect((await loadLog(file)).events[0]?.event).toEqual(foreign);
  });

  it('only the owner can read the log and its folders', async () => {
    const root = await scratch();
    await append(join(root, 'sessions/day/thr_1.jsonl'), [started()]);
    const mode = async (path: string): Promise<number> => (await stat(join(root, path))).mode & 0o777;
    expect([await mode('sessions'), await mode('sessions/day'), await mode('sessions/day/thr_1.jsonl')]).toEqual([0o700, 0o700, 0o600]);
  });

  it('after close nothing can be appended, and nothing beside the log is left', async () => {
    const root = await scratch();
    const log = await openEventLog(join(root, 'thr_1.jsonl'), {create: true});
    log.close();
    log.close();
    expect(() => log.append(user('late'))).toThrow('The session log');
    expect(await readdir(root)).toEqual(['thr_1.jsonl']);
  });
});

describe('open', () => {
  it('without create, a log that is not there is NOT_FOUND and stays so', async () => {
    const root = await scratch();
    await expect(openEventLog(join(root, 'no.jsonl'), {create: false})).rejects.toMatchObject({code: 'NOT_FOUND'});
    expect(await readdir(root)).toEqual([]);
  });

  it('a log cut at any byte opens, holds exactly the whole lines before the cut, keeps the rest aside, and goes on', async () => {
    const root = await scratch();
    const lines = logged([user('Größe 😀'), turnStarted(), {type: 'error', message: '"\\\n'}]).map(encodeLine);
    const whole = Buffer.from(lines.join(''));
    const isAtLineEnd = (cut: number): boolean => whole.subarray(Math.max(0, cut - 2), cut + 1).includes('\n');
    for (let cut = 0; cut <= whole.length; cut += 1) {
      if (!IS_THOROUGH && cut % 5 > 0 && !isAtLineEnd(cut)) continue;
      const file = join(root, `${cut}.jsonl`);
      await writeFile(file, whole.subarray(0, cut));
      const notes = await append(file, [text('r', 'after')]);
      const {events, report} = await loadLog(file);
      const kept = whole.subarray(0, cut).toString('latin1').split('\n').length - 1;
      const rest = cut - Buffer.byteLength(lines.slice(0, kept).join(''));
      expect(report).toEqual({events: kept + 1, broken: []});
      expect(events.map(({seq}) => seq)).toEqual(Array.from({length: kept + 1}, (_, index) => index + 1));
      expect(events.slice(0, kept)).toEqual(logged([user('Größe 😀'), turnStarted(), {type: 'error', message: '"\\\n'}]).slice(0, kept));
      expect(events.at(-1)).toMatchObject({turn: kept >= 2 ? 1 : 0, event: text('r', 'after')});
      const torn = await readFile(`${file}.torn`).catch(() => Buffer.alloc(0));
      expect(torn).toEqual(whole.subarray(cut - rest, cut));
      expect(notes).toEqual(rest === 0 ? [] : [`The last line was torn: ${rest} bytes were moved to ${file}.torn.`]);
    }
  });

  it('a last line that is whole but no JSON is cut too; torn tails of several crashes are all kept', async () => {
    const first = encodeLine(logged([started()])[0] ?? fail());
    const root = await scratch({'thr_1.jsonl': `${first}\u0000\u0000\u0000\n`});
    const file = join(root, 'thr_1.jsonl');
    expect(await append(file, [])).toEqual([`The last line was torn: 4 bytes were moved to ${file}.torn.`]);
    await writeFile(file, '{"v":1', {flag: 'a'});
    await append(file, []);
    expect(await readFile(file, 'utf8')).toBe(first);
    expect(await readFile(`${file}.torn`, 'utf8')).toBe('\u0000\u0000\u0000\n{"v":1');
  });

  it('broken lines in the middle are skipped and reported, and stay where they are', async () => {
    const [a, b] = logged([started(), user('u')]).map(encodeLine);
    const broken = ['garbage', '[]', '{"v":2,"seq":9,"ts":"t","event":{"type":"x"}}', '{"v":1,"seq":1,"ts":"t"}', '\u0000', ''];
    const content = `${a}${broken.map((line) => `${line}\n`).join('')}${b}`;
    const file = join(await scratch({'thr_1.jsonl': content}), 'thr_1.jsonl');
    expect(await append(file, [])).toEqual([]);
    expect(await readFile(file, 'utf8')).toBe(content);
    expect((await loadLog(file)).report).toEqual({
      events: 2,
      broken: [
        {line: 2, reason: 'not JSON'},
        {line: 3, reason: 'not an object'},
        {line: 4, reason: 'version 2 of the log is not known'},
        {line: 5, reason: 'no event'},
        {line: 6, reason: 'not JSON'},
        {line: 7, reason: 'not JSON'},
      ],
    });
  });

  it('an item that no reader could use counts as broken', async () => {
    const line = '{"v":1,"seq":1,"ts":"t","turn":0,"event":{"type":"item.completed","item":{"type":"user_message"}}}\n';
    const root = await scratch({'a.jsonl': line, 'b.jsonl': '{"v":1,"seq":"1","ts":"t","event":{"type":"x"}}\n'});
    expect((await loadLog(join(root, 'a.jsonl'))).report).toEqual({events: 0, broken: [{line: 1, reason: 'an item without id and type'}]});
    expect((await loadLog(join(root, 'b.jsonl'))).report).toEqual({events: 0, broken: [{line: 1, reason: 'no seq or ts'}]});
  });
});

describe('read', () => {
  it('lines longer than a piece of the file, and pieces that end within a character', async () => {
    const file = join(await scratch(), 'thr_1.jsonl');
    const events = [user('é'.repeat(300_000)), user('x'), user('😀'.repeat(200_000)), ...wholeTurn()];
    await append(file, events);
    expect((await loadLog(file)).events.map(({event}) => event)).toEqual(events);
  });

  it('a log that another process is writing is read up to its last whole line', async () => {
    const file = join(await scratch({'thr_1.jsonl': `${encodeLine(logged([started()])[0] ?? fail())}{"v":1,`}), 'thr_1.jsonl');
    expect((await loadLog(file)).report).toEqual({events: 1, broken: [{line: 2, reason: 'no newline at its end'}]});
  });

  it('a line beyond the limit is skipped without being held, and written neither', {timeout: 60_000}, async () => {
    const [a, b] = logged([started(), user('u')]).map(encodeLine);
    const file = join(await scratch({'thr_1.jsonl': a ?? ''}), 'thr_1.jsonl');
    await writeFile(file, Buffer.alloc(65 * 1024 * 1024, 'x'), {flag: 'a'});
    await writeFile(file, `\n${b}`, {flag: 'a'});
    expect((await loadLog(file)).report).toEqual({events: 2, broken: [{line: 2, reason: 'longer than a line may be'}]});

    const log = await openEventLog(file, {create: false});
    expect(() => log.append(user('y'.repeat(65 * 1024 * 1024)))).toThrow('exceeds the limit of a session log');
    log.append(user('short'));
    log.close();
    expect((await loadLog(file)).events.at(-1)).toMatchObject({seq: 3, event: user('short')});
  });
});

function fail(): never {
  throw new Error('no line');
}
