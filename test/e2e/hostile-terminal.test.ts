import {execFileSync} from 'node:child_process';
import {readdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import {describe, expect, it, onTestFinished} from 'vitest';
import {fettle, LAUNCHER, modelServer, place, type Place} from './support.ts';

/** Writes to the clipboard, gives a word another target, renames the window, clears, answers, turns text around (cases output › terminal). */
const EVIL =
  '\u001b]52;c;QUJD\u0007\u001b]8;;http://evil.example\u001b\\x\u001b]0;t\u0007\u001b[2J\u001b[6n\u001bP1$r\u009b31m\u202e\u2066\u{e0041}\u0000\r';
/** In a name of a file there is no NUL and no slash. */
const EVIL_NAME = EVIL.replaceAll(/[\0/\r]/g, '');

/** What Fettle itself sends to a terminal: colours, moves of the cursor, clearing of lines, and modes of input. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const OWN = /\u001b\[[0-9;]*[mABCDGHJK]|\u001b\[\?[0-9;]+[hl]|\u001b\[>[0-9;]*u|\u001b\[<u/g;

/** What a terminal would still obey, or show as something else. */
function autoloaded(shown: string): string[] {
  const text = shown.replaceAll('\u001b[2J', '<cleared>').replaceAll(OWN, '');
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return text.match(/<cleared>|[\u0000-\u0006\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu) ?? [];
}

/** The command on a real terminal, to its end; `answer` is typed when `prompt` is shown. */
async function onTerminal(at: Place, args: readonly string[], {prompt = '', answer = ''} = {}): Promise<string> {
  const child = spawn(process.execPath, [LAUNCHER, ...args], {cwd: at.work, env: {...at.env, TERM: 'xterm-256color'}, cols: 120, rows: 40});
  const ended = new Promise<void>((resolve) => child.onExit(() => resolve()));
  let isRunning = true;
  onTestFinished(() => (isRunning ? child.kill('SIGKILL') : undefined));
  let shown = '';
  let waits = prompt !== '';
  child.onData((text) => {
    shown += text;
    if (!waits || !shown.includes(prompt)) return;
    waits = false;
    child.write(answer);
  });
  await ended;
  isRunning = false;
  return shown;
}

async function hostilePlace(): Promise<Place> {
  const call = (name: string, args: object) => ({name, arguments: JSON.stringify(args)});
  const server = await modelServer([
    {text: `I say ${EVIL}.`, reasoning: EVIL, toolCalls: [call('read', {path: `a${EVIL_NAME}`}), call(`no_such${EVIL}`, {x: EVIL})]},
    {
      toolCalls: [
        call('bash', {command: 'cat evil.txt; git branch'}),
        call('glob', {pattern: '*'}),
        call('write', {path: `b${EVIL_NAME}`, content: EVIL}),
      ],
    },
    {text: `Done ${EVIL}`},
  ]);
  const tools = join(import.meta.dirname, '../mcp/servers/hostile.ts');
  const listed = [{name: `go${EVIL}`, title: EVIL, description: EVIL, inputSchema: {type: 'object'}}];
  const at = await place({'evil.txt': `${EVIL}\n`, [`a${EVIL_NAME}`]: EVIL, 'tools.json': JSON.stringify({tools: listed})});
  const args = JSON.stringify([tools, 'file', join(at.work, 'tools.json')]);
  await writeFile(
    join(at.home, 'config.toml'),
    `${server.config}[[mcp_servers]]\nname = "bad"\ntransport = "stdio"\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${args}\n`,
  );
  execFileSync('git', ['init', '-q', '-b', `branch-\u202e-\u{e0041}`], {cwd: at.work});
  return at;
}

/** A session whose task, which is its title, would never have been taken: a log that was written by something else. */
async function renameSession(at: Place, id: string): Promise<void> {
  const files = await readdir(join(at.home, 'state/sessions'), {recursive: true});
  const file = join(at.home, 'state/sessions', files.find((name) => name.endsWith(`${id}.jsonl`)) ?? '');
  const log = await readFile(file, 'utf8');
  expect(log).toContain('Do it');
  await writeFile(file, log.replaceAll('Do it', JSON.stringify(`Do it ${EVIL}`).slice(1, -1)));
}

describe('what others name and say, on a real terminal (cases output › terminal; CVE-2024-38396, CVE-2021-42574)', () => {
  it('a run: task, answer, reasoning, names of files, tools and branches, outputs', async () => {
    const at = await hostilePlace();
    const shown = await onTerminal(at, ['exec', '--mode', 'full-auto', '--no-sandbox', 'Do it']);
    expect([autoloaded(shown), shown.includes('Done')]).toEqual([[], true]);
    const [id = ''] = /thr_\w+/.exec((await fettle(at, ['sessions', 'list', '--json'])).stdout) ?? [];
    await renameSession(at, id);
    for (const args of [
      ['sessions', 'list'],
      ['sessions', 'search', 'Do'],
      ['sessions', 'show', id],
      ['sessions', 'export', id, '--format', 'markdown'],
      ['checkpoints', 'list'],
      ['checkpoints', 'diff'],
      ['mcp', 'test', 'bad'],
      ['tools', 'list'],
      ['permissions', 'check', '--', 'bash', `echo ${EVIL.replaceAll('\0', '')}`],
      ['exec', '--resume', EVIL.replaceAll('\0', ''), 'x'],
    ]) {
      expect([args.slice(0, 2), autoloaded(await onTerminal(at, args))]).toEqual([args.slice(0, 2), []]);
    }
  }, 180_000);

  it('a chat: what streams in, and what is asked', async () => {
    const at = await hostilePlace();
    const shown = await onTerminal(at, ['--surface', 'lines', '--mode', 'full-auto', '--no-sandbox', 'do it'], {
      prompt: 'Done',
      answer: '/exit\r',
    });
    expect([autoloaded(shown), shown.includes('I say')]).toEqual([[], true]);
  });
});
