import {mkdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {recordModes, takeLeftModes} from '../../../../src/hosts/tui/terminal/mode-record.ts';
import {scratch} from '../../../support/scratch.ts';

it('after a kill the next start on the same terminal learns of it, once; a running one and other terminals are left alone', async () => {
  const folder = join(await scratch(), 'terminals');
  const place = (pid: number, tty: string) => ({folder, pid, tty});
  recordModes(place(10, '/dev/pts/1'));
  recordModes(place(11, '/dev/pts/2'));
  const removed = recordModes(place(12, '/dev/pts/3'));
  removed?.remove();
  const start = (tty: string, alive: readonly number[]): boolean => takeLeftModes(place(99, tty), (pid) => alive.includes(pid));
  expect((await stat(join(folder, '10.json'))).mode & 0o777).toBe(0o600);
  expect([start('/dev/pts/1', [10]), start('/dev/pts/1', []), start('/dev/pts/1', []), start('/dev/pts/3', [])]).toEqual([
    false,
    true,
    false,
    false,
  ]);
  expect(start('/dev/pts/2', [])).toBe(true);
});

it('a folder that cannot be used, and files that are not records, cost nothing', async () => {
  const root = await scratch({file: '', 'terminals/1.json': '{', 'terminals/x': ''});
  await mkdir(join(root, 'terminals/2.json'));
  expect(recordModes({folder: join(root, 'file'), tty: 't', pid: 1})).toBeUndefined();
  expect(takeLeftModes({folder: join(root, 'terminals'), tty: 't', pid: 3}, () => false)).toBe(false);
});
