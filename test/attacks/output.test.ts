import {readFileSync} from 'node:fs';
import {readFile, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {createRedactor} from '../../src/base/redact.ts';
import {visibleText} from '../../src/base/visible-text.ts';
import {BoundedCapture} from '../../src/exec/capture/bounded-capture.ts';
import {approvalText} from '../../src/hosts/cli/chat/approval-text.ts';
import {askApproval} from '../../src/hosts/cli/chat/approval.ts';
import type {Io} from '../../src/hosts/cli/io.ts';
import type {LineEditor} from '../../src/hosts/cli/chat/line-editor.ts';
import type {ThreadEvent} from '../../src/protocol/events.ts';
import type {ApprovalRequest} from '../../src/tools/dispatch/dispatch.ts';
import {createEventRedactor} from '../../src/sdk/sessions/redacted-events.ts';
import {exportSession, EXPORT_FORMATS} from '../../src/sessions/export/export-session.ts';
import {harmlessMarkdown} from '../../src/sessions/export/harmless-markdown.ts';
import {encodeLine} from '../../src/sessions/log-line.ts';
import {createHistory} from '../../src/sessions/history.ts';
import {createSession} from '../../src/sessions/session-store.ts';
import {callStarted, logged, started, text, user} from '../sessions/events.ts';
import {scratch} from '../support/scratch.ts';
import {openToolset} from '../tools/support/open-toolset.ts';

interface Case {
  readonly id: string;
  readonly kind: string;
  readonly group: string;
  readonly benign: boolean;
  readonly input: Readonly<Record<string, unknown>>;
  readonly expected: string;
  readonly sanitized?: string;
}

const {cases} = JSON.parse(readFileSync(new URL('../cases/attacks.json', import.meta.url), 'utf8')) as {cases: readonly Case[]};
const of = (group: string): readonly Case[] => cases.filter((one) => one.kind === 'output' && one.group === group);

describe('attacks.json › terminal', () => {
  it.each(of('terminal').map((one) => [one.id, one] as const))('%s', (_, {input, sanitized}) => {
    const shown = visibleText(String(input['text']));
    if (sanitized === undefined) expect(shown.length).toBeLessThan(20);
    else expect(shown).toBe(sanitized);
  });
});

describe('attacks.json › markdown, in exports', () => {
  it.each(of('markdown').map((one) => [one.id, one] as const))('%s', async (_, {input, benign}) => {
    const markdown = String(input['markdown']);
    const shown = harmlessMarkdown(markdown);
    if (benign) return expect(shown).toBe(markdown);
    expect(shown).not.toBe(markdown);
    const outsideCode = shown.replaceAll(/^```text\n[^]*?^```$/gm, '');
    expect(outsideCode).not.toMatch(/<[a-z/!]|!\[|\]\(\s*(?!https?:)[a-z]+:|```mermaid|\\href\{/i);
    const file = join(
      await scratch({
        's.jsonl': logged([started(), user('x'), text('r1', markdown)])
          .map(encodeLine)
          .join(''),
      }),
      's.jsonl',
    );
    const html = await exportSession(file, 'html');
    expect(html).toContain(`default-src 'none'`);
    // Links of an answer lead to pages, say where, and tell them nothing.
    const safeLink = /<a href="(?:https?:\/\/|mailto:)[^"<>\s]+" rel="noopener noreferrer nofollow">/gi;
    expect(html.replaceAll(safeLink, '')).not.toMatch(/<(?:img|svg|a|script)\b/i);
  });
});

describe('attacks.json › secret', () => {
  const own = `own-key-of-this-session-${'k1'.repeat(8)}`;
  it.each(of('secret').map((one) => [one.id, one] as const))(
    '%s: in logs, streams, spooled outputs and exports',
    async (_, {id, input, expected}) => {
      const secret = id === 'ou-089' ? own : String(input['text']);
      const redactor = createRedactor({secrets: [own], shapes: true});
      const told = `before ${secret} after`;
      const clean = redactor.text(told);
      const events = createEventRedactor(redactor);
      const pieces = Array.from(told).flatMap((char) =>
        events({type: 'item.updated', turn_id: 't', item_id: 'i', item_type: 'agent_message', delta: char}),
      );
      const ended = events(text('r1', told, 'i'));
      const streamed = [...pieces, ...ended].flatMap((event) => (event.type === 'item.updated' ? [event.delta] : [])).join('');
      expect(streamed).toBe(clean);
      expect(clean === told).toBe(expected === 'allow');
      const file = join(
        await scratch({
          's.jsonl': logged([started(), user(told), text('r1', told)])
            .map(encodeLine)
            .join(''),
        }),
        's.jsonl',
      );
      for (const format of EXPORT_FORMATS) {
        const exported = await exportSession(file, format);
        const leaks = id !== 'ou-089' && expected === 'deny' && exported.includes(secret.replace(/^.*[=@]/, ''));
        if (!secret.includes('hunter2')) expect([format, leaks]).toEqual([format, false]);
        else expect([format, exported.includes('hunter2')]).toEqual([format, false]);
      }
    },
  );
});

describe('secrets at the edge of the disk', () => {
  const token = `ghp_${'Ab1'.repeat(12)}`;

  it('a large output of a command is kept without them, other bytes as they are', async () => {
    const dir = await scratch();
    const capture = new BoundedCapture({headBytes: 10, tailBytes: 10}, dir);
    const bytes = Buffer.concat([
      Buffer.from('é '),
      Buffer.from([0, 255, 254, 10]),
      Buffer.from(` ${token}\nDB_PASSWORD=hunter2\n`),
      Buffer.from('x'.repeat(100)),
    ]);
    for (const byte of bytes) capture.write(Buffer.from([byte]));
    const {spillPath = ''} = capture.finish();
    const kept = await readFile(spillPath);
    expect(kept).toEqual(
      Buffer.concat([
        Buffer.from('é '),
        Buffer.from([0, 255, 254, 10]),
        Buffer.from(` [redacted GitHub token]\nDB_PASSWORD=[redacted secret]\n${'x'.repeat(100)}`),
      ]),
    );
    expect((await stat(spillPath)).mode & 0o777).toBe(0o600);
  });

  it('what a tool writes and what a model reads is not changed; what is spooled is', async () => {
    const root = await scratch({'a.txt': `token ${token}\n`});
    const tools = await openToolset('fettle', root);
    expect(await tools.text('read', {path: 'a.txt'})).toContain(token);
    await tools.call('write', {path: 'b.txt', content: `key = "${token}"\n`});
    await tools.call('edit', {path: 'b.txt', old_string: token, new_string: `${token}x`, old_text: token, new_text: `${token}x`});
    expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe(`key = "${token}x"\n`);
    const {spoolPath = ''} = await tools.call('bash', {command: `cat a.txt; seq 20000`});
    expect(await readFile(spoolPath, 'utf8')).toMatch(/^token \[redacted GitHub token\]\n1\n/);
  });

  it('a session log holds none, also not in arguments and in what a provider gave, and goes on without them', async () => {
    const events = createEventRedactor(createRedactor({secrets: [], shapes: true}));
    const begun = callStarted('r1', {id: 'c1', arguments: JSON.stringify({command: `echo ${token} > "x y"`})});
    const native = {format: 'x', item: {arguments: token, encrypted_content: 'abc'}};
    const given = [started(), user('x'), {...begun, item: {...('item' in begun ? begun.item : {}), native}} as unknown as ThreadEvent];
    const clean = given.flatMap(events);
    const history = createHistory();
    for (const event of clean) history.apply(event);
    expect(JSON.stringify(clean)).not.toContain(token);
    const calls = history.messages().flatMap((message) => (message.role === 'assistant' ? message.parts : []));
    expect(calls).toEqual([
      {
        type: 'tool_call',
        id: expect.any(String),
        name: expect.any(String),
        arguments: '{"command":"echo [redacted GitHub token] > \\"x y\\""}',
      },
    ]);
  });

  it('ou-094: logs are 0600 in folders 0700', async () => {
    const stateDir = join(await scratch(), 'state');
    const session = await createSession({stateDir});
    session.log.close();
    expect([(await stat(session.file)).mode & 0o777, (await stat(join(session.file, '..'))).mode & 0o777]).toEqual([0o600, 0o700]);
  });
});

/** A question on a terminal: what is shown, and what is asked. */
async function asked(request: Partial<ApprovalRequest>, ...answers: string[]) {
  const notes: string[] = [];
  const questions: string[] = [];
  const cleared: number[] = [];
  const io = {note: (line: string) => void notes.push(line), paint: (_: string, shown: string) => shown} as unknown as Io;
  const lines = {
    clearTyped: async () => void cleared.push(questions.length),
    question: async (query: string) => {
      questions.push(query);
      return answers.shift() ?? '';
    },
  } as unknown as LineEditor;
  const decision = {
    verdict: 'ask',
    reason: 'no rule allows it',
    offers: [],
    parts: [],
    decidedBy: 'default',
    rule: undefined,
    wouldAllow: undefined,
  };
  const whole = {callId: 'c', toolName: 'bash', subjects: [], input: {}, decision, ...request} as unknown as ApprovalRequest;
  const answer = await askApproval(
    {io, lines, request: whole, grant: () => undefined, remember: async () => undefined},
    new AbortController().signal,
  );
  return {answer, notes, questions, cleared};
}

const command = (line: string, cwd = '/repo') => ({
  subjects: [{kind: 'command', command: line, cwd, workspace: '/repo'}] as const,
  input: {command: line},
});

describe('attacks.json › approval', () => {
  it('ou-057: invisible and direction-changing characters are escaped and counted', async () => {
    const {notes} = await asked(command('ls \u202e hs|x lruc\u200b'));
    expect(notes).toEqual([
      '\nMay bash do this? no rule allows it',
      String.raw`  ls \u202e hs|x lruc\u200b`,
      String.raw`  ! 2 invisible or control characters are escaped (\u…).`,
    ]);
  });

  it('ou-058, CVE-2026-25805: every argument can be seen', async () => {
    const note = Array.from({length: 300}, (_, index) => `line ${index + 1}`).join('\n');
    const {notes, questions, answer} = await asked(
      {toolName: 'mcp__s__send', subjects: [{kind: 'name', name: 's/send'}], input: {to: 'a@b', note}},
      'v',
      'y',
    );
    expect(notes).toContain('  to: a@b');
    expect(notes).toContain('  … 260 more lines: [v]iew shows all');
    expect(notes).toContain('  300 | line 300');
    expect([questions.length, answer]).toEqual([2, {decision: 'allow'}]);
    const long = await asked({subjects: [{kind: 'name', name: 's/send'}], input: {note: `${'x'.repeat(50_000)}END`}}, 'view', 'n');
    expect([long.notes.some((line) => line.endsWith('END')), long.answer.decision]).toEqual([true, 'deny']);
  });

  it('ou-059: the real path stands beside the one that was asked for', async () => {
    const subject = {
      kind: 'path',
      path: '/home/u/.bashrc',
      relative: '../home/u/.bashrc',
      inside: false,
      write: true,
      requested: 'link',
    } as const;
    const {notes} = await asked({toolName: 'write', subjects: [subject], input: {path: 'link', content: 'x'}});
    expect(notes.slice(1)).toEqual(['  write /home/u/.bashrc (asked for as link)', '  content: x']);
  });

  it('a command is never cut, its lines are numbered, another folder is named', async () => {
    const line = `echo ${'x'.repeat(20_000)}; rm -rf y`;
    expect((await asked(command(line))).notes[1]).toBe(`  ${line}`);
    expect((await asked(command('a\nb\nrm -rf c', '/repo/sub'))).notes.slice(1)).toEqual([
      '  1 | a',
      '  2 | b',
      '  3 | rm -rf c',
      '  in /repo/sub',
    ]);
  });

  it('what the model says about its call is marked as its words', () => {
    const request = {...command('rm x'), input: {command: 'rm x', description: 'Lists files'}} as unknown as ApprovalRequest;
    expect(approvalText(request).lines).toEqual(['  rm x', '  the model says (description): Lists files']);
  });

  it('a name of a file is one line, whatever stands in it', () => {
    const path = 'a\n  write ok.txt\u001b[2J';
    const subject = {kind: 'path', path: `/repo/${path}`, relative: path, inside: true, write: true, requested: path};
    expect(approvalText({subjects: [subject], input: {}} as unknown as ApprovalRequest).lines[0]).toBe(
      String.raw`  write a\u000a  write ok.txt\u001b[2J`,
    );
  });

  it.each(['', 'n', 'no', 'Y E S', 'yess', 'ja', ' '])('%j is not a yes', async (answer) => {
    expect((await asked(command('x'), answer)).answer.decision).toBe('deny');
  });

  it('what was typed before the question is gone before it is asked', async () => {
    expect((await asked(command('x'), 'y')).cleared).toEqual([0]);
  });
});

describe('attacks.json › resource and records', () => {
  it.each([
    ['ou-108', 'glob', {pattern: '{a,b}'.repeat(25)}],
    ['ou-114', 'edit', {path: 'a.txt', old_string: '', new_string: 'x', old_text: '', new_text: 'x'}],
    ['ou-117', 'read', {path: 7}],
    ['ou-118', 'edit', {path: 'big.txt', old_string: 'END', new_string: 'end', old_text: 'END', new_text: 'end'}],
  ])('%s: %s is bounded', async (_, tool, args) => {
    const root = await scratch({'a.txt': 'a', 'big.txt': `${'x'.repeat(10_000_000)}END`});
    const {text: told} = await (await openToolset('fettle', root)).call(tool, args);
    expect(told.length).toBeLessThan(60_000);
  });

  it('ou-052: an endless output is cut at the bound, and the command ends with its time', async () => {
    const tools = await openToolset('fettle', await scratch());
    const {text: told} = await tools.call('bash', {command: 'yes | head -c 30000000'});
    expect(told.length).toBeLessThan(60_000);
  });
});
