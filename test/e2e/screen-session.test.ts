import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {onPty} from '../support/pty.ts';
import {scratch} from '../support/scratch.ts';
import {fettle, LAUNCHER, place} from './support.ts';

describe('a session on the screen', () => {
  it('--resume without an id lets the person choose, and how to go on is told at the end', async () => {
    const at = await place({'s.json': JSON.stringify({replies: [{text: 'First answer.'}]})});
    const model = ['-m', `script:${join(at.work, 's.json')}`];
    await fettle(at, ['exec', ...model, 'the first task']);
    const {type, until, ended} = onPty(process.execPath, [LAUNCHER, ...model, '--resume'], {cwd: at.work, env: at.env});
    await until(/the first task/);
    type('\r');
    await until(/First answer\./);
    await until(/Type a task/);
    type('\x04');
    const {code, rest} = await ended;
    expect([code, /Resume this session: fettle --resume thr_\w+/.test(rest)]).toEqual([0, true]);
  });

  it('a defect restores the terminal, and says where its trace is', async () => {
    const state = await scratch({});
    const env = {PATH: process.env['PATH'] ?? ''};
    const {type, until, ended} = onPty(process.execPath, [join(import.meta.dirname, 'screen-crash-child.ts'), state], {cwd: state, env});
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
