import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import {describe, expect, it, onTestFinished} from 'vitest';
import {scratch} from '../support/scratch.ts';
import {fettle, LAUNCHER, place, type Place} from './support.ts';

/** A program on a terminal of its own: what it writes is read up to a mark, and what follows it stays for the next time. */
function onTerminal(args: readonly string[], {work: cwd, env}: Pick<Place, 'work' | 'env'>) {
  const child = spawn(process.execPath, [...args], {cwd, cols: 80, rows: 24, env: {...env, TERM: 'xterm'}});
  onTestFinished(() => child.kill('SIGKILL'));
  let shown = '';
  let look: () => void = () => undefined;
  child.onData((text) => {
    shown += text;
    look();
  });
  const ended = new Promise<{code: number; rest: string}>((resolve) =>
    child.onExit(({exitCode}) => resolve({code: exitCode, rest: shown})),
  );
  const until = (mark: RegExp): Promise<string> =>
    new Promise((resolve) => {
      look = () => {
        const found = mark.exec(shown);
        if (found === null) return;
        const taken = shown.slice(0, found.index + found[0].length);
        shown = shown.slice(taken.length);
        look = () => undefined;
        resolve(taken);
      };
      look();
    });
  return {type: (keys: string): void => child.write(keys), until, ended};
}

describe('a session on the screen', () => {
  it('--resume without an id lets the person choose, and how to go on is told at the end', async () => {
    const at = await place({'s.json': JSON.stringify({replies: [{text: 'First answer.'}]})});
    const model = ['-m', `script:${join(at.work, 's.json')}`];
    await fettle(at, ['exec', ...model, 'the first task']);
    const {type, until, ended} = onTerminal([LAUNCHER, ...model, '--resume'], at);
    await until(/the first task/);
    type('\r');
    await until(/First answer\./);
    await until(/Type a task/);
    type('\x04');
    const {code, rest} = await ended;
    expect([code, /Go on with this session: fettle --resume thr_\w+/.test(rest)]).toEqual([0, true]);
  });

  it('a defect restores the terminal, and says where its trace is', async () => {
    const state = await scratch({});
    const env = {PATH: process.env['PATH'] ?? ''};
    const {type, until, ended} = onTerminal([join(import.meta.dirname, 'screen-crash-child.ts'), state], {work: state, env});
    await until(/ready to break/);
    type('go\r');
    const {code, rest} = await ended;
    const file = /What happened is in (\S+\.log)/.exec(rest.replaceAll('\r\n', ''))?.[1] ?? '';
    expect([code, rest.includes('The screen has failed: a defect'), /TypeError: a defect\n +at /.test(readFileSync(file, 'utf8'))]).toEqual(
      [1, true, true],
    );
    // Marked pastes and reports of focus are off, and the cursor is shown.
    expect(rest).toContain('\x1b[?1004l\x1b[?2004l\x1b[?7h\x1b[m\x1b[?25h');
  });
});
