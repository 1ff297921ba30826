import {execFileSync, spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {isProcessAlive} from '../../src/hosts/tui/terminal/mode-record.ts';
import {LAUNCHER, modelServer, place} from '../e2e/support.ts';

const isMissing = spawnSync('tmux', ['-V']).error !== undefined;

/** The built command in a window of a tmux of its own. */
async function inTmux({
  columns,
  rows,
  script,
}: {
  readonly columns: number;
  readonly rows: number;
  readonly script: Parameters<typeof modelServer>[0];
}) {
  const {config} = await modelServer(script);
  const at = await place({'a.txt': 'a\n'}, config);
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-S', join(at.home, 'tmux'), '-f', '/dev/null', ...args], {
      cwd: at.work,
      env: at.env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  tmux('new-session', '-d', '-x', `${columns}`, '-y', `${rows}`, `exec '${process.execPath}' '${LAUNCHER}'`);
  const pid = Number(tmux('display-message', '-p', '-t', '0', '#{pane_pid}'));
  onTestFinished(async () => {
    spawnSync('tmux', ['-S', join(at.home, 'tmux'), 'kill-server'], {env: at.env});
    // It closes its session in the scratch folder, which is removed next.
    await expect.poll(() => isProcessAlive(pid), {timeout: 20_000}).toBe(false);
  });
  const screen = (): string => tmux('capture-pane', '-p', '-t', '0').trimEnd();
  return {
    screen,
    all: () => tmux('capture-pane', '-p', '-S', '-', '-t', '0').trimEnd(),
    keys: (...names: readonly string[]) => void tmux('send-keys', '-t', '0', ...names),
    resize: (width: number, height: number) => void tmux('resize-window', '-t', '0', '-x', `${width}`, '-y', `${height}`),
    shows: async (text: string) => await expect.poll(screen, {timeout: 20_000, interval: 100}).toContain(text),
  };
}

const LINES = Array.from({length: 60}, (_, at) => `Line ${at} of the answer.`);

// Skipped where tmux is not installed.
describe.skipIf(isMissing)('under tmux', () => {
  it.each([
    {columns: 40, rows: 10},
    {columns: 80, rows: 24},
    {columns: 200, rows: 50},
  ])('every row of an answer stands once in the scrollback, in order ($columns×$rows)', async (size) => {
    const {shows, keys, all} = await inTmux({...size, script: [{text: LINES.join('\n\n'), chunkBytes: 16}]});
    await shows('Type a task');
    keys('go', 'Enter');
    await shows('Line 59');
    await shows('Type a task');
    expect(all().match(/Line \d+ of the answer\./g)).toEqual(LINES);
    expect(all().match(/Type a task/g)).toHaveLength(1);
  });

  it('one line to type into after every change of the size, and Esc leaves help and pager', async () => {
    const {shows, keys, screen, resize} = await inTmux({columns: 80, rows: 24, script: [{text: LINES.join('\n\n')}]});
    await shows('Type a task');
    keys('go', 'Enter');
    await shows('Line 59');
    for (const [columns, rows] of [
      [40, 10],
      [120, 40],
      [20, 6],
      [80, 24],
    ] as const) {
      resize(columns, rows);
      await expect.poll(() => screen().split('›').length - 1 <= 2 && screen().includes('Type a'), {timeout: 10_000}).toBe(true);
    }
    for (const [key, mark] of [
      ['?', 'Keys'],
      ['C-o', 'Esc leaves'],
    ] as const) {
      keys(key);
      await shows(mark);
      keys('Escape');
      await expect.poll(screen, {timeout: 10_000}).not.toContain(mark);
    }
    await shows('Type a task');
  });
});
