import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {onPty} from '../support/pty.ts';

const CHILD = join(import.meta.dirname, 'terminal-modes-child.ts');
const PUSHED = '\x1b[?2004h\x1b[?1004h\x1b[>5u';
const POPPED = '\x1b[<u\x1b[?2026l\x1b[?1004l\x1b[?2004l\x1b[?7h\x1b[m\x1b[?25h';

/** A shell with job control on a real terminal. */
function shell() {
  const {type, until} = onPty('bash', ['--norc', '--noprofile', '-i'], {env: {PATH: process.env['PATH'] ?? '', PS1: '$ '}});
  const stty = async (): Promise<string> => {
    type('echo "<$(stty -g)>"\r');
    return (/<([\da-f:]+)>/.exec(await until(/<[\da-f:]+>\r\n/)) ?? [])[1] ?? '';
  };
  return {type, until, stty};
}

const START = `${process.execPath} ${CHILD}; echo "code=$?"\r`;

describe('the modes of a real terminal', () => {
  it.each([
    ['leaving', 'q', /code=0\r\n/],
    ['an exit without leaving', 'x', /code=3\r\n/],
  ])('%s restores them', async (_, key, end) => {
    const {type, until, stty} = shell();
    const before = await stty();
    type(START);
    expect(await until(/ready/)).toContain(PUSHED);
    type(key);
    expect((await until(end)).split(POPPED)).toHaveLength(2);
    expect(await stty()).toBe(before);
  });

  it('Ctrl-Z gives the terminal back, and takes it again on return', async () => {
    const {type, until, stty} = shell();
    const before = await stty();
    type(START);
    await until(/ready/);
    type('z');
    expect(await until(/Stopped/)).toContain(POPPED);
    expect(await stty()).toBe(before);
    type('fg\r');
    expect(await until(/continued/)).toContain(PUSHED);
    type('q');
    // oxlint-disable-next-line no-control-regex -- the end of the modes
    expect(await until(/\x1b\[\?25h/)).toContain(POPPED);
    expect(await stty()).toBe(before);
  });

  it.each(['TERM', 'HUP'] as const)('SIG%s restores them', async (signal) => {
    const {type, until, stty} = shell();
    const before = await stty();
    type(START);
    const [, pid] = /ready (\d+)/.exec(await until(/ready \d+\./)) ?? [];
    process.kill(Number(pid), `SIG${signal}`);
    expect(await until(/code=0\r\n/)).toContain(`ended by SIG${signal}`);
    expect(await stty()).toBe(before);
  });
});
