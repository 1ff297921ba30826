import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {readFile, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {openEventLog} from '../../src/sessions/event-log.ts';
import {loadLog} from '../../src/sessions/log-reader.ts';
import {processStart} from '../../src/sessions/process-start.ts';
import {scratch} from '../support/scratch.ts';
import {user} from './events.ts';

const child = (name: string): string => join(import.meta.dirname, name);

/** Lets a child append from `first` on, kills it after `reports` reports, and returns all ids that it reported. */
async function appendUntilKilled(file: string, first: number, reports: number): Promise<readonly string[]> {
  const writer = spawn(process.execPath, [child('append-until-killed.ts'), file, String(first)], {stdio: ['ignore', 'pipe', 'inherit']});
  const reported: string[] = [];
  const exited = once(writer, 'exit');
  for await (const line of createInterface({input: writer.stdout})) {
    reported.push(line);
    if (reported.length === reports) writer.kill('SIGKILL');
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
  return reported;
}

describe('kill -9', () => {
  it('at any moment loses nothing that was appended; the log opens, is repaired and goes on', {timeout: 60_000}, async () => {
    const file = join(await scratch(), 'thr_1.jsonl');
    let reported: string[] = [];
    for (const reports of [1, 2, 3, 5, 8, 13, 40, 41, 97, 150, 200, 333]) {
      const {events} = reported.length === 0 ? {events: []} : await loadLog(file);
      reported = [...reported, ...(await appendUntilKilled(file, events.length, reports))];

      const log = await openEventLog(file, {create: false});
      log.close();
      const {events: now, report} = await loadLog(file);
      expect(report.broken).toEqual([]);
      expect(now.map(({seq}) => seq)).toEqual(Array.from({length: now.length}, (_, index) => index + 1));
      const kept = new Set(now.map(({event}) => (event.type === 'item.completed' ? event.item.id : '')));
      expect(reported.filter((id) => !kept.has(id))).toEqual([]);
    }
  });
});

describe('a full disk', () => {
  it('is an IO error; what was appended before is whole, and the log goes on when there is space', async () => {
    const file = join(await scratch(), 'thr_1.jsonl');
    const script = 'ulimit -f 16; exec "$0" "$@"';
    const {stdout} = await promisify(execFile)('sh', ['-c', script, process.execPath, child('append-until-full.ts'), file]);
    const {appended, thrown} = JSON.parse(stdout) as {appended: number; thrown: unknown[]};
    const expected = {
      code: 'IO',
      message: 'The session log could not be written: EFBIG: file too large, write',
      hint: `Check the disk and the limits of the system for ${file}; what was logged before is whole.`,
    };
    expect(thrown).toEqual([expected, expected]);
    expect(appended).toBeGreaterThan(5);
    expect((await loadLog(file)).report).toEqual({events: appended, broken: []});

    const log = await openEventLog(file, {create: false});
    expect(log.notes).toEqual([]);
    log.append(user('after'));
    log.close();
    expect((await loadLog(file)).events.at(-1)).toMatchObject({seq: appended + 1, event: user('after')});
  });
});

describe('one writer', () => {
  it('a second one is told who the first is, in the same process too', async () => {
    const file = join(await scratch(), 'thr_1.jsonl');
    const log = await openEventLog(file, {create: true});
    await expect(openEventLog(file, {create: false})).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: `Process ${process.pid} is using this session.`,
      hint: `End that process, or fork the session. If it is not a Fettle process, remove ${file}.lock.`,
    });
    log.close();
    (await openEventLog(file, {create: false})).close();
  });

  it.each(['', 'no json', '{}', '{"pid":"x","token":"../../x"}', '[1]'])('a lock that says %j is taken over', async (content) => {
    const root = await scratch({'thr_1.jsonl.lock': content});
    const log = await openEventLog(join(root, 'thr_1.jsonl'), {create: true});
    expect(JSON.parse(await readFile(join(root, 'thr_1.jsonl.lock'), 'utf8'))).toMatchObject({pid: process.pid});
    log.close();
    expect(await readdir(root)).toEqual(['thr_1.jsonl']);
  });

  it('a lock of a dead process is taken over, also when that process died while it took one over', async () => {
    const pid = await deadPid();
    const root = await scratch({
      'thr_1.jsonl.lock': JSON.stringify({pid, token: 'aa'}),
      'thr_1.jsonl.lock.aa': JSON.stringify({pid, token: 'bb'}),
    });
    const log = await openEventLog(join(root, 'thr_1.jsonl'), {create: true});
    log.close();
    expect(await readdir(root)).toEqual(['thr_1.jsonl']);
  });

  it.skipIf(processStart(process.pid) === undefined)('a pid that was used again is another process', async () => {
    const root = await scratch({'thr_1.jsonl.lock': JSON.stringify({pid: process.pid, started: '1', token: 'aa'})});
    (await openEventLog(join(root, 'thr_1.jsonl'), {create: true})).close();
    expect(await readdir(root)).toEqual(['thr_1.jsonl']);
  });

  it('of many that race for the lock of a dead process exactly one wins', {timeout: 30_000}, async () => {
    const root = await scratch();
    await writeFile(join(root, 'thr_1.jsonl.lock'), JSON.stringify({pid: await deadPid(), token: 'aa'}));
    const racers = Array.from({length: 6}, () =>
      spawn(process.execPath, [child('open-and-hold.ts'), join(root, 'thr_1.jsonl')], {stdio: ['pipe', 'pipe', 'inherit']}),
    );
    const outcomes = await Promise.all(racers.map(async ({stdout}) => String(await once(stdout, 'data')).trim()));
    expect(outcomes.sort()).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE', 'open']);
    await Promise.all(
      racers.map(async (racer) => {
        racer.stdin.end();
        if (racer.exitCode === null) await once(racer, 'exit');
      }),
    );
    expect(await readdir(root)).toEqual(['thr_1.jsonl']);
  });
});

async function deadPid(): Promise<number> {
  const short = spawn(process.execPath, ['-e', '0'], {stdio: 'ignore'});
  await once(short, 'exit');
  return short.pid ?? 0;
}
