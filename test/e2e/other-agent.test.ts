import {spawnSync} from 'node:child_process';
import {cpSync, mkdirSync, symlinkSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import {describe, expect, it, onTestFinished} from 'vitest';
import {emulator} from '../screen/emulator.ts';
import {scratch} from '../support/scratch.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The example beside the built package, as an embedder has them. */
async function installed(): Promise<string> {
  const folder = await scratch({
    'package.json': '{"type": "module"}',
    'tsconfig.json': JSON.stringify({
      compilerOptions: {strict: true, module: 'nodenext', target: 'es2024', noEmit: true, types: ['node']},
      files: ['echo-agent.ts'],
    }),
  });
  cpSync(join(ROOT, 'examples/agents/echo-agent/echo-agent.ts'), join(folder, 'echo-agent.ts'));
  const modules = join(folder, 'node_modules');
  cpSync(join(ROOT, 'dist'), join(modules, 'fettle'), {recursive: true});
  for (const name of ['@types/node', 'undici-types', 'zod']) {
    mkdirSync(dirname(join(modules, name)), {recursive: true});
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'dir');
  }
  return folder;
}

function started(folder: string) {
  const terminal = emulator({columns: 60, rows: 16});
  const env = {PATH: process.env['PATH'] ?? '', HOME: folder, TERM: 'xterm-256color'};
  const child = spawn(process.execPath, ['echo-agent.ts'], {cwd: folder, cols: 60, rows: 16, env});
  onTestFinished(() => child.kill('SIGKILL'));
  const ended = new Promise<number>((resolve) => void child.onExit(({exitCode}) => resolve(exitCode)));
  child.onData((text) => {
    terminal.write(text);
    for (const answer of terminal.answers.splice(0)) child.write(answer);
  });
  const shown = (): string => [...terminal.scrollback(), ...terminal.screen()].join('\n').trimEnd();
  return {shown, ended, type: (keys: string): void => child.write(keys)};
}

describe('an agent that is not Fettle, in the screen (vtcode architecture › TUI Architecture: "downstream projects can start sessions")', () => {
  it('asks, runs a tool, streams Markdown, and leaves the terminal as it was', async () => {
    const folder = await installed();
    expect(spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'], {cwd: folder}).status).toBe(0);
    const {shown, ended, type} = started(folder);
    await expect.poll(shown).toContain('Whatever you write comes back.');
    type('good morning\r');
    await expect.poll(shown).toContain('Allow shout?');
    // A key that comes too soon after the question is not an answer to it: it is pressed until it is one.
    const answered = (): boolean => {
      if (shown().includes('Allow shout?')) type('y');
      return shown().includes('characters.') && !shown().includes('Working');
    };
    await expect.poll(answered, {interval: 500, timeout: 20_000}).toBe(true);
    // Those stand in the line: Ctrl-U, then Ctrl-D.
    type('\x15\x04');
    expect(await ended).toBe(0);
    const said = shown()
      .replace(/ {2}\d\.\d s$/m, '')
      .replace(basename(folder), 'work');
    expect(said).toMatchInlineSnapshot(`
      "Echo
      echo-1 · work · polite
      ? keys and commands · @ files · ! shell · Shift-Tab mode

      · Whatever you write comes back.

      › good morning

      ● Shout good morning  heard by all

      You said:

      │ good morning

      That has 12 characters.
      Heard 1 task."
    `);
  });
});
