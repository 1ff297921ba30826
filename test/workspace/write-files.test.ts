import {chmod, lstat, readFile, stat, symlink, writeFile} from 'node:fs/promises';
import nodeFs from 'node:fs/promises';
import {basename, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {stateOf} from '../../src/workspace/file-state.ts';
import type {FileStepsFs} from '../../src/workspace/atomic-fs.ts';
import {writeFiles, type FileStep} from '../../src/workspace/write-files.ts';
import {scratch} from '../support/scratch.ts';
import {treeOf} from './tree.ts';

const {signal} = new AbortController();

/** The real file system that lets the n-th call that changes something fail. */
function failingAt(failing: number): {fs: FileStepsFs; calls: string[]} {
  const calls: string[] = [];
  const fs = new Proxy<FileStepsFs>(nodeFs, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function' || typeof name !== 'string' || !CHANGING.includes(name)) return method;
      return async (...args: unknown[]): Promise<unknown> => {
        calls.push(name);
        if (calls.length === failing) throw Object.assign(new Error('EIO: injected'), {code: 'EIO'});
        return Reflect.apply(method, target, args);
      };
    },
  });
  return {fs, calls};
}
const CHANGING = ['mkdir', 'open', 'rename', 'link'];

async function sample(): Promise<{root: string; steps: FileStep[]}> {
  const root = await scratch({'a.txt': 'a', 'b.txt': 'b', 'gone.txt': 'gone', 'also/gone.txt': 'also'});
  await symlink('a.txt', join(root, 'link'));
  await chmod(join(root, 'a.txt'), 0o640);
  const at = (path: string) => join(root, path);
  const bytes = (text: string) => Buffer.from(text);
  return {
    root,
    steps: [
      {kind: 'write', path: at('a.txt'), bytes: bytes('A'), expect: stateOf(await stat(at('a.txt')))},
      {kind: 'delete', path: at('gone.txt')},
      {kind: 'write', path: at('new/deep/c.txt'), bytes: bytes('C'), expect: 'absent', mode: 0o755},
      {kind: 'write', path: at('b.txt'), bytes: bytes('B'), expect: stateOf(await stat(at('b.txt')))},
      {kind: 'delete', path: at('also/gone.txt')},
      {kind: 'delete', path: at('link')},
    ],
  };
}

describe('writeFiles', () => {
  it('writes and deletes everything, and gives the states of what was written', async () => {
    const {root, steps} = await sample();
    const states = await writeFiles(steps, {signal});
    expect(await treeOf(root)).toEqual({
      'a.txt': 'A',
      also: 'folder',
      'b.txt': 'B',
      new: 'folder',
      'new/deep': 'folder',
      'new/deep/c.txt': 'C',
    });
    expect([...states.keys()].map((path) => basename(path))).toEqual(['a.txt', 'c.txt', 'b.txt']);
    for (const [path, state] of states) expect(stateOf(await stat(path))).toEqual(state);
    expect((await stat(join(root, 'a.txt'))).mode & 0o777).toBe(0o640);
    expect((await stat(join(root, 'new/deep/c.txt'))).mode & 0o777).toBe(0o755);
  });

  it('whichever step fails: everything is as it was, modes and links included', async () => {
    const {fs, calls} = failingAt(-1);
    const whole = await sample();
    await writeFiles(whole.steps, {signal, fs});
    expect(calls.length).toBeGreaterThan(8);
    for (let failing = 1; failing <= calls.length; failing++) {
      const {root, steps} = await sample();
      const before = await treeOf(root);
      const restored: string[] = [];
      const onRestored = (path: string): void => void restored.push(basename(path));
      const outcome = await writeFiles(steps, {signal, fs: failingAt(failing).fs, onRestored}).then(
        () => 'done',
        (error: {code: string}) => error.code,
      );
      // A file system without links does without them.
      if (calls[failing - 1] === 'link') {
        expect(outcome).toBe('done');
        continue;
      }
      expect([failing, calls[failing - 1], outcome]).toEqual([failing, calls[failing - 1], 'IO']);
      expect(await treeOf(root)).toEqual(before);
      expect((await stat(join(root, 'a.txt'))).mode & 0o777).toBe(0o640);
      expect((await lstat(join(root, 'link'))).isSymbolicLink()).toBe(true);
      expect(restored.every((name) => name === 'a.txt' || name === 'b.txt')).toBe(true);
    }
  });

  it('what others changed or made meanwhile is not overwritten, and nothing else is left behind', async () => {
    const {root, steps} = await sample();
    await writeFile(join(root, 'b.txt'), 'by another');
    const before = await treeOf(root);
    await expect(writeFiles(steps, {signal})).rejects.toMatchObject({code: 'STALE'});
    expect(await treeOf(root)).toEqual(before);
    const bytes = Buffer.from('x');
    const step = {kind: 'write', path: join(root, 'gone.txt'), bytes, expect: 'absent'} as const;
    await expect(writeFiles([step], {signal})).rejects.toMatchObject({code: 'BAD_ARGS'});
    expect(await readFile(join(root, 'gone.txt'), 'utf8')).toBe('gone');
  });

  it('says what could not be taken back', async () => {
    const {root, steps} = await sample();
    let broken = false;
    const fs = new Proxy<FileStepsFs>(nodeFs, {
      get: (target, name) => {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== 'function') return method;
        return async (...args: unknown[]): Promise<unknown> => {
          broken ||= name === 'mkdir' && String(args[0]).endsWith('deep');
          if (broken && name === 'open') throw Object.assign(new Error('EIO: injected'), {code: 'EIO'});
          return Reflect.apply(method, target, args);
        };
      },
    });
    await expect(writeFiles(steps, {signal, fs})).rejects.toMatchObject({
      code: 'IO',
      message: expect.stringContaining(`What was done to ${join(root, 'a.txt')} before could not be taken back.`),
      hint: 'Look at these files before going on.',
    });
  });

  it('is cancelled before the first write', async () => {
    const {root, steps} = await sample();
    const before = await treeOf(root);
    await expect(writeFiles(steps, {signal: AbortSignal.abort()})).rejects.toMatchObject({code: 'CANCELLED'});
    expect(await treeOf(root)).toEqual(before);
  });
});
