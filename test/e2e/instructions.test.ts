import {mkdir, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ScriptedStep} from '../../src/testing/index.ts';
import {sharedFettle} from './shared-process.ts';
import {eventsOf, fettle, FORMATS, modelServer, place, type Format, type Place} from './support.ts';

interface Sent {
  readonly role: string;
  readonly content: string;
}

const messagesOf = (request: {readonly body: unknown} | undefined): readonly Sent[] =>
  ((request?.body ?? {messages: []}) as {messages: Sent[]}).messages;
const systemOf = (request: {readonly body: unknown} | undefined): string =>
  messagesOf(request).find(({role}) => role === 'system')?.content ?? '';
/** Path and first line of each text that stands under a name. */
const named = (text: string): string[][] =>
  [...text.matchAll(/from ([^\n]+):\n<instructions>\n(.*)/g)].map(([, path = '', first = '']) => [path, first]);
const given = (request: {readonly body: unknown} | undefined): string[][] =>
  messagesOf(request).flatMap(({role, content}) => (role === 'user' ? named(content) : []));

async function put(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), {recursive: true});
    await writeFile(join(root, path), text);
  }
}

const read = (path: string): ScriptedStep => ({toolCalls: [{name: 'read', arguments: {path}}]});
const trust = async (at: Place): Promise<void> => expect((await sharedFettle(at, ['trust', '--yes'])).code).toBe(0);

describe('instructions, as installed', () => {
  it('stand in the system prompt, the weakest first: user, user rules, root, folder, project rules (VT Code › instruction memory, order)', async () => {
    const server = await modelServer([{text: 'Done.'}]);
    const at = await place(
      {
        '.git/HEAD': '',
        'AGENTS.md': 'of the root\n@docs/style.md\n<!-- for people -->',
        'docs/style.md': 'of the import',
        'a/AGENTS.override.md': 'of a',
        'a/AGENTS.md': 'not this one',
        'a/b/CLAUDE.md': 'of b',
        'c/AGENTS.md': 'of c',
        '.fettle/rules/all.md': 'a rule for all',
        '.fettle/rules/ts.md': '---\npaths: ["**/*.ts"]\n---\na rule for ts',
        '.fettle/rules/README.md': 'about rules',
      },
      server.config,
    );
    await put(at.home, {'AGENTS.md': 'of the user', '.agents/AGENTS.md': 'shared by agents', 'rules/mine.md': 'a rule of the user'});
    await trust(at);
    const done = await sharedFettle(at, ['exec', '-C', 'a/b', 'hi']);
    expect({code: done.code, stderr: done.stderr.includes('not used')}).toEqual({code: 0, stderr: false});
    const system = systemOf(server.requests[0]);
    expect(named(system)).toEqual([
      [join(at.home, '.agents/AGENTS.md'), 'shared by agents'],
      [join(at.home, 'AGENTS.md'), 'of the user'],
      [join(at.home, 'rules/mine.md'), 'a rule of the user'],
      ['AGENTS.md', 'of the root'],
      ['a/AGENTS.override.md', 'of a'],
      ['a/b/CLAUDE.md', 'of b'],
      ['.fettle/rules/all.md', 'a rule for all'],
    ]);
    expect(system).toContain('of the root\n@docs/style.md\n[from docs/style.md]\nof the import\n[end of docs/style.md]\n</instructions>');
    expect(system).not.toContain('for people');
  });

  it('of an untrusted project: nothing, but those of the user', async () => {
    const server = await modelServer([read('sub/x.ts'), {text: 'Done.'}]);
    const at = await place(
      {'.git/HEAD': '', 'CLAUDE.md': 'evil', '.fettle/rules/a.md': 'evil', 'sub/AGENTS.md': 'evil', 'sub/x.ts': ''},
      server.config,
    );
    await put(at.home, {'AGENTS.md': 'of the user'});
    const done = await sharedFettle(at, ['exec', 'hi']);
    expect(JSON.stringify(server.requests.map(({body}) => body))).not.toContain('evil');
    expect(named(systemOf(server.requests[0]))).toEqual([[join(at.home, 'AGENTS.md'), 'of the user']]);
    expect(done.stderr).toContain('not trusted: a rule, CLAUDE.md not used.');
  });

  it('context.instruction_files names the fall-backs (AGENTS.md convention: configured fall-back names)', async () => {
    const server = await modelServer([{text: 'Done.'}]);
    const at = await place(
      {'GEMINI.md': 'by gemini', 'CLAUDE.md': 'by claude'},
      `${server.config}[context]\ninstruction_files = ["GEMINI.md"]\n`,
    );
    await trust(at);
    await sharedFettle(at, ['exec', 'hi']);
    expect(named(systemOf(server.requests[0]))).toEqual([['GEMINI.md', 'by gemini']]);
  });

  it('beyond 32 KiB the least specific goes first, and person and model are told (VT Code cut the most specific ones)', async () => {
    const server = await modelServer([{text: 'Done.'}]);
    const line = `${'x'.repeat(1023)}\n`;
    const at = await place(
      {
        '.git/HEAD': '',
        'AGENTS.md': `first\n${line.repeat(20)}`,
        'a/AGENTS.md': `second\n${line.repeat(20)}`,
        '.fettle/rules/r.md': 'rule',
      },
      server.config,
    );
    await put(at.home, {'AGENTS.md': 'of the user'});
    await trust(at);
    const done = await sharedFettle(at, ['exec', '-C', 'a', 'hi']);
    const system = systemOf(server.requests[0]);
    expect(named(system)).toEqual([
      ['AGENTS.md', 'first'],
      ['a/AGENTS.md', 'second'],
      ['.fettle/rules/r.md', 'rule'],
    ]);
    const cut = `${join(at.home, 'AGENTS.md')}: left out; AGENTS.md: only the first 11269 of 20485 bytes`;
    expect(system).toContain(`Missing here for its size: ${cut}.`);
    expect(done.stderr).toContain('AGENTS.md: only the first 11269 of 20485 bytes; 32 KiB go to the model');
  });

  it('characters that nobody sees are spelled out and told ("Rules File Backdoor")', async () => {
    const server = await modelServer([{text: 'Done.'}]);
    const at = await place({'AGENTS.md': 'Be nice.\u{e0041}\u202e\u200b'}, server.config);
    await trust(at);
    const done = await sharedFettle(at, ['exec', 'hi']);
    expect(systemOf(server.requests[0])).toContain('Be nice.\\u{e0041}\\u202e\\u200b\n</instructions>');
    expect(done.stderr).toContain('AGENTS.md: 3 invisible or direction-changing characters in it; the model sees them escaped');
  });

  it('a secret, a link that leads out and what is outside are never imported', async () => {
    const server = await modelServer([{text: 'Done.'}]);
    const at = await place(
      {'AGENTS.md': '@.env @../x.md @~/x.md @/etc/passwd @missing.md @types/node', '.env': 'KEY=geheim'},
      server.config,
    );
    await trust(at);
    const done = await sharedFettle(at, ['exec', 'hi']);
    expect(systemOf(server.requests[0])).toContain(
      '<instructions>\n@.env @../x.md @~/x.md @/etc/passwd @missing.md @types/node\n</instructions>',
    );
    expect(done.stderr.split('\n').filter((text) => text.includes('imported'))).toEqual([
      'AGENTS.md: @../x.md is not imported: it is outside the project',
      'AGENTS.md: @~/x.md is not imported: it is outside the project',
      'AGENTS.md: @/etc/passwd is not imported: it is outside the project',
      'AGENTS.md: @missing.md is not imported: no such file, or it is not part of what you trusted',
    ]);
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain('geheim');
  });
});

const NESTED = {
  '.git/HEAD': '',
  'AGENTS.md': 'of the root',
  'sub/AGENTS.md': 'of sub\n@more.md',
  'sub/more.md': 'of more',
  'sub/x.ts': 'x',
  'sub/deep/y.ts': 'y',
  'repo/.git/HEAD': '',
  'repo/AGENTS.md': 'of another project',
  'repo/z.txt': 'z',
  '.fettle/rules/ts.md': '---\npaths: "*.ts"\n---\na rule for ts',
};

describe('instructions of folders that are used (AGENTS.md: the file nearest to the edited file wins)', () => {
  it.each(Object.keys(FORMATS) as Format[])('%s: are given once, behind the results; the prompt stays the same', async (format) => {
    const server = await modelServer([read('sub/x.ts'), read('sub/deep/y.ts'), read('repo/z.txt'), {text: 'Done.'}], format);
    const at = await place(NESTED, server.config);
    await trust(at);
    const done = await sharedFettle(at, ['exec', '--json', 'hi']);
    expect([done.code, server.violations]).toEqual([0, []]);
    const harness = eventsOf(done).flatMap(({type, item}) => {
      const {origin, text} = (item ?? {}) as {origin?: string; text?: string};
      return type === 'item.completed' && origin === 'harness' ? [text] : [];
    });
    expect(harness).toEqual([
      'Instructions of this project for sub/, from sub/AGENTS.md:\n<instructions>\nof sub\n@more.md\n[from sub/more.md]\nof more\n[end of sub/more.md]\n</instructions>',
      'Instructions of this project for *.ts, from .fettle/rules/ts.md:\n<instructions>\na rule for ts\n</instructions>',
    ]);
    if (format !== 'openai-chat') return;
    expect(server.requests.map(given)).toEqual([
      [],
      ...Array.from({length: 3}, () => [
        ['sub/AGENTS.md', 'of sub'],
        ['.fettle/rules/ts.md', 'a rule for ts'],
      ]),
    ]);
    expect(messagesOf(server.requests[1]).map(({role}) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'user', 'user']);
    expect(new Set(server.requests.map(systemOf)).size).toBe(1);
    expect(systemOf(server.requests[0])).not.toContain('of sub');
  });

  it('changed since they were trusted: not given, and the person is told once; the rest of the project stays trusted', async () => {
    const server = await modelServer([read('sub/x.ts'), read('sub/deep/y.ts'), {text: 'Done.'}]);
    const at = await place(NESTED, server.config);
    await trust(at);
    await put(at.work, {'sub/AGENTS.md': 'evil', 'sub/deep/AGENTS.md': 'evil too'});
    const done = await sharedFettle(at, ['exec', 'hi']);
    expect(JSON.stringify(server.requests.map(({body}) => body))).not.toContain('evil');
    expect(named(systemOf(server.requests[0]))).toEqual([['AGENTS.md', 'of the root']]);
    expect(done.stderr.split('\n').filter((text) => text.includes('not used'))).toEqual([
      'sub/AGENTS.md: not used: nobody trusts it as it is; `fettle trust` shows it and asks',
      'sub/deep/AGENTS.md: not used: nobody trusts it as it is; `fettle trust` shows it and asks',
    ]);
    expect((await sharedFettle(at, ['trust', '--show'])).stdout).toContain('+evil');
  });

  it('of a project that has nothing else: the person is told, and trust covers them', async () => {
    const server = await modelServer([read('sub/x.ts'), {text: 'One.'}, read('sub/x.ts'), {text: 'Two.'}]);
    const at = await place({'.git/HEAD': '', 'sub/AGENTS.md': 'of sub', 'sub/x.ts': ''}, server.config);
    const first = await sharedFettle(at, ['exec', 'hi']);
    expect(first.stderr).toContain('sub/AGENTS.md: not used: nobody trusts it as it is; `fettle trust` shows it and asks\n');
    await trust(at);
    const second = await sharedFettle(at, ['exec', 'hi']);
    expect([
      second.stderr.includes('not used'),
      second.stderr.includes('\n  instructions: sub/AGENTS.md\n'),
      given(server.requests.at(-1)),
    ]).toEqual([false, true, [['sub/AGENTS.md', 'of sub']]]);
  });

  it('a resumed session knows what was given', async () => {
    const server = await modelServer([read('sub/x.ts'), {text: 'One.'}, read('sub/x.ts'), {text: 'Two.'}]);
    const at = await place(NESTED, server.config);
    await trust(at);
    await sharedFettle(at, ['exec', 'hi']);
    await fettle(at, ['exec', '--last', 'again']);
    expect(given(server.requests.at(-1))).toEqual([
      ['sub/AGENTS.md', 'of sub'],
      ['.fettle/rules/ts.md', 'a rule for ts'],
    ]);
  });

  it('are still there after the conversation was compacted, also in a session that goes on without the file', async () => {
    const files = Object.fromEntries(
      Array.from({length: 8}, (_, n) => [`${n}.txt`, `the number is ${n}\n${'word word word word word word word word\n'.repeat(130)}`]),
    );
    const steps: ScriptedStep[] = [read('sub/x.ts'), ...Array.from({length: 8}, (_, n) => read(`${n}.txt`)), {text: 'All.'}];
    let at = 0;
    const next: ScriptedStep = (request) => {
      if (JSON.stringify(request.body).includes('<transcript>'))
        return {text: '## Done\n- read the first files\n## Facts\n- the number in 0.txt is 0 (0.txt:1)'};
      const step = steps[at] ?? {text: 'more'};
      at += 1;
      return typeof step === 'function' ? step(request) : step;
    };
    const server = await modelServer(Array.from({length: 30}, () => next));
    const here = await place({...NESTED, ...files}, `${server.config}[context]\nwindow_tokens = 12000\n`);
    await trust(here);
    const done = await sharedFettle(here, ['exec', '--json', 'hi']);
    expect(eventsOf(done).some(({type, mode}) => type === 'thread.compact_boundary' && mode === 'local')).toBe(true);
    const last = server.requests.at(-1);
    expect(messagesOf(last).some(({content}) => content.includes('<session_memory>'))).toBe(true);
    expect(given(last)).toEqual([
      ['sub/AGENTS.md', 'of sub'],
      ['.fettle/rules/ts.md', 'a rule for ts'],
    ]);
    await rm(join(here.work, 'sub/AGENTS.md'));
    expect((await fettle(here, ['exec', '--last', 'go on'])).code).toBe(0);
  });
});
