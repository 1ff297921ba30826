import {readFile} from 'node:fs/promises';
import {describe, expect, it, onTestFinished} from 'vitest';
import {visibleText} from '../../../src/base/visible-text.ts';
import {childEnvironment} from '../../../src/exec/variables/child-environment.ts';
import {openCommandTerminal, type CommandTerminal} from '../../../src/exec/terminal/terminal.ts';
import {scratch} from '../../support/scratch.ts';

const SPEC = {command: 'true', env: childEnvironment(process.env), columns: 80, rows: 24, timeoutMs: 60_000};

async function open(command: string, options: {columns?: number; rows?: number; timeoutMs?: number} = {}): Promise<CommandTerminal> {
  const terminal = await openCommandTerminal({...SPEC, command, cwd: await scratch(), ...options});
  onTestFinished(() => terminal.end());
  return terminal;
}

/** Waits until the screen says so. */
async function until(terminal: CommandTerminal, wanted: (lines: readonly string[]) => boolean): Promise<readonly string[]> {
  for (;;) {
    const {lines} = await terminal.screen();
    if (wanted(lines)) return lines;
    if (terminal.ended() !== undefined) throw new Error(`ended with this screen:\n${lines.join('\n')}`);
    await terminal.changed(AbortSignal.timeout(5000));
  }
}

describe('openTerminal (vtcode architecture › PTY session management for interactive commands)', () => {
  it('gives the command a terminal of the size asked for, and a screen on which it can draw anywhere', async () => {
    const terminal = await open('test -t 0 && test -t 1 && tput cols && printf "\\e[2J\\e[3;5Hhere"; read -r _', {columns: 100, rows: 30});
    const lines = await until(terminal, (screen) => screen.includes('    here'));
    expect(lines).toEqual(['', '', '    here']);
    expect((await terminal.screen()).cursor).toEqual({line: 2, column: 8});
  });

  it('takes keys, and tells how it ended', async () => {
    const terminal = await open('read -r name; echo "hello $name"; exit 3');
    terminal.write('you\r');
    await until(terminal, (screen) => screen.includes('hello you')).catch(() => undefined);
    await terminal.done;
    expect([(await terminal.screen()).lines, terminal.ended()]).toEqual([
      ['you', 'hello you'],
      {exitCode: 3, signal: null, timedOut: false, cancelled: false},
    ]);
  });

  it('Ctrl-C interrupts the foreground program', async () => {
    const terminal = await open('trap "echo interrupted; exit 9" INT; echo ready; while :; do sleep 600; done');
    await until(terminal, (screen) => screen.includes('ready'));
    terminal.write('\u0003');
    await terminal.done;
    expect(terminal.ended()?.exitCode).toBe(9);
  });

  it('is resized', async () => {
    const terminal = await open('trap "tput lines" WINCH; echo ready; while :; do read -r -t 600 _; done');
    await until(terminal, (screen) => screen.includes('ready'));
    terminal.resize(40, 10);
    expect(await until(terminal, (screen) => screen.includes('10'))).toContain('10');
  });

  it('keeps what scrolled away, up to a bound', async () => {
    const terminal = await open('seq 5000; read -r _', {rows: 10});
    const lines = await until(terminal, (screen) => screen.includes('5000'));
    expect([lines.length <= 2010, lines.at(-1), lines.includes('4000'), lines.includes('100')]).toEqual([true, '5000', true, false]);
  });

  it('ends with everything it started', async () => {
    const terminal = await open('(trap "" HUP TERM; echo "child $BASHPID"; exec sleep 600) & wait');
    const lines = await until(terminal, (screen) => screen.some((line) => /^child \d+$/.test(line)));
    const child = Number(/\d+/.exec(lines.find((line) => line.startsWith('child')) ?? '')?.[0]);
    await terminal.end();
    expect(terminal.ended()).toBeDefined();
    await expect.poll(() => isAlive(child)).toBe(false);
  });

  it('ends when its time is over, with everything it started; its owner ending it is told apart', async () => {
    const late = await open('(trap "" HUP TERM; exec sleep 600) & wait', {timeoutMs: 50});
    await late.done;
    const closed = await open('sleep 600');
    await closed.end();
    expect([late.ended(), closed.ended()]).toEqual([
      {exitCode: null, signal: expect.stringMatching(/^SIG/), timedOut: true, cancelled: false},
      {exitCode: null, signal: 'SIGTERM', timedOut: false, cancelled: true},
    ]);
  });

  it('tells its title, without what could steer the terminal of a reader, and its size', async () => {
    const terminal = await open(
      String.raw`printf '\e]0;safe \xe2\x80\xae%0200d\a\e]2;$(id)\x1b\\'; printf '\e]0;a\xe2\x80\xaeb%0200d\a' 7; echo up; read -r _`,
    );
    await until(terminal, (screen) => screen.includes('up'));
    const {title, columns, rows} = await terminal.screen();
    expect([title, columns, rows]).toEqual([visibleText(`a\u202eb${'0'.repeat(199)}7`).slice(0, 120), 80, 24]);
    expect(title).not.toContain('\u202e');
  });

  it('answers programs that ask where the cursor is', async () => {
    const terminal = await open('stty -echo; printf "\\e[6n"; IFS= read -rsd R place; echo "${place#*[}"; read -r _');
    expect(await until(terminal, (screen) => screen.includes('1;1'))).toEqual(['1;1']);
  });

  it('where the library has no part for this platform: UNAVAILABLE', async () => {
    const spec = {...SPEC, cwd: await scratch()};
    await expect(openCommandTerminal(spec, () => Promise.reject(new Error('no part for this platform')))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'There is no pseudo-terminal on this platform.',
      hint: 'Run the command without a terminal.',
    });
  });

  it('refuses a missing folder', async () => {
    const spec = {...SPEC, cwd: '/none/such'};
    await expect(openCommandTerminal(spec)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'The working folder /none/such does not exist.',
    });
  });
});

/** A process that ended and was not waited for is not alive. */
async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ') Z');
  return !/\) [ZX]/.test(status);
}
