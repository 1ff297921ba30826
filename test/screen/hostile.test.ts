import {describe, expect, it} from 'vitest';
import type {Action} from '../../src/hosts/tui/model/action.ts';
import * as send from './events.ts';
import {testScreen, useTestClock} from './test-screen.ts';

const HOSTILE = [
  '\x1b[2J\x1b[H',
  '\x1b]0;title\x07',
  '\x1b]52;c;aGk=\x07',
  '\x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\',
  '\x1b[?1049h\x1bc',
  '\u009b2J\u009d52;c;aGk=\u009c',
  'allowed\rdenied',
  '\x07\x08\x7f\u0000',
  '\u202edeined\u2066',
  '\ud83d',
];

/** Everywhere that words of models, tools, files and servers come to the screen. */
const PLACES: Readonly<Record<string, (text: string) => readonly Action[]>> = {
  'an answer that arrives': (text) => [send.said(`a ${text} b`)],
  'an answer': (text) => [
    send.answered(`- [a ${text} b](http://x/${text})\n\n\`\`\`${text}\n${text}\n\`\`\`\n\n| ${text} |\n|---|\n| ${text} |`),
  ],
  thoughts: (text) => [send.thought(text), {type: 'key', key: {type: 'key', name: 'ctrl+o'}}],
  'a call': (text) => [send.called('t1', `bash${text}`, {command: text}), send.wrote('t1', text)],
  'the end of a call': (text) => [
    send.ran('t1', 'edit', {path: text, old_string: text, new_string: `${text}+`}),
    send.output('t1', text, text),
  ],
  'broken arguments': (text) => [send.called('t1', 'bash', text), {type: 'key', key: {type: 'key', name: 'ctrl+o'}}],
  'who decided': (text) => [send.ran('t1', 'bash', {}, 'denied'), send.resolved('t1', 'deny', text, text)],
  tasks: (text) => [send.todo([text, 'pending'])],
  subagents: (text) => [send.agent(text, 'running', text), send.agentCalled(text, text, {path: text})],
  'a subagent that is looked at': (text) => [
    send.agent(text, 'running', text),
    ...send.byAgent(text, send.told(text), send.called('t1', `bash${text}`, {command: text}), send.wrote('t1', text), send.said(text)),
    {type: 'key', key: {type: 'key', name: 'alt+a'}},
    send.agent(text, 'failed', text),
  ],
  'what the harness says': (text) => [send.harness('retry', {message: text}), send.ended('failed', text)],
  'an approval': (text) => [
    send.approval({
      tool: text,
      agent: text,
      reason: text,
      subject: [{text, risky: true}],
      diffs: [{path: text, before: text, after: `${text}+`}],
      rules: [{rule: text, meaning: text}],
    }),
  ],
  questions: (text) => [send.questions({header: text, question: text, options: [{label: text, description: text}]}, {header: text})],
  'a question of trust': (text) => [
    {
      type: 'trust',
      id: 't',
      question: {
        folder: text,
        isChange: true,
        entries: [{path: text, change: 'changed', does: [text], before: text, after: `${text}+`}],
        problems: [text],
      },
    },
  ],
  'a plan': (text) => [
    {
      type: 'plan',
      id: 'p',
      question: {
        plan: `# a ${text} b\n\n- ${text}\n\n\`\`\`${text}\n${text}\n\`\`\`\n\n| ${text} |\n|---|\n| ${text} |`,
        path: text,
        choices: [{label: text, description: text, accepts: true}],
      },
    },
  ],
  'a picker': (text) => [{type: 'pick', title: text, command: 'model', items: [{value: text, label: text, detail: text}]}],
  'names of files': (text) => [
    {type: 'key', key: {type: 'key', name: '@', text: '@'}},
    {type: 'suggested', query: '', items: [{value: text, label: text, detail: text}]},
  ],
  commands: (text) => [
    {type: 'commands', commands: [{name: `x${text}`, hint: text, description: text, group: 'mcp'}]},
    {type: 'key', key: {type: 'key', name: '?', text: '?'}},
  ],
  'the status': (text) => [{type: 'switched', folder: text, info: {model: text, mode: text, branch: text, sandbox: text, title: text}}],
  'what was pasted': (text) => [{type: 'key', key: {type: 'paste', text}}],
  'what is searched for in the pager': (text) => [
    {type: 'key', key: {type: 'key', name: 'ctrl+o'}},
    {type: 'key', key: {type: 'key', name: '/', text: '/'}},
    {type: 'key', key: {type: 'paste', text: `${text}\n`}},
  ],
  'changed files': (text) => [
    {
      type: 'diff',
      title: text,
      files: [
        {path: text, before: text, after: `${text}+`},
        {path: text, note: text},
      ],
    },
  ],
  'a changed file': (text) => [{type: 'diff', title: text, files: [{path: text, before: text, after: `${text}+`, note: text}]}],
  'what a command answered': (text) => [{type: 'entry', entry: {kind: 'plain', title: text, text}}],
};

// What the surface itself writes: moves, erasing, lines inserted and deleted, looks, modes of the cursor, of wrapping and of frames.
// oxlint-disable-next-line no-control-regex -- control sequences are what is looked for
const OWN = /\x1b\[\d*[ABGHJKLM]|\x1b\[\d+;\d+H|\x1b\[[\d;]*m|\x1b\[\?(?:7|25|2026|1049)[hl]|\r|\n/g;

describe.each(Object.entries(PLACES))('%s', (name, actions) => {
  it.each(HOSTILE)('shows %j and it has no effect', async (text) => {
    await useTestClock();
    const screen = testScreen({columns: 80, rows: 24});
    screen.dispatch({type: 'tick'});
    screen.terminal.frames.length = 0;
    screen.dispatch(...actions(text));
    screen.wait(1000);
    const pagers = screen.terminal.frames.filter((frame) => frame.includes('\x1b[?1049h')).length;
    // oxlint-disable-next-line no-control-regex -- as above
    expect(screen.terminal.frames.join('').replaceAll(OWN, '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Surrogate}]/u);
    expect([screen.problems, screen.terminal.answers, pagers]).toEqual([
      [],
      [],
      /thoughts|broken|pager|a picker|commands|changed|looked at|plan/.test(name) ? 1 : 0,
    ]);
  });
});

describe('text of every width', () => {
  it.each([
    '漢字かな交じり文 '.repeat(20),
    '👩‍💻 👨‍👩‍👧 🇩🇪 ✅ '.repeat(30),
    'e\u0301tude z̷̢̛̪ '.repeat(30),
    'שלום עולם مرحبا '.repeat(20),
    'a'.repeat(500),
  ])('stays in its rows: %j', async (text) => {
    await useTestClock();
    for (const columns of [20, 21, 80]) {
      const screen = testScreen({columns, rows: 12, info: {model: text}});
      screen.dispatch({type: 'submit', text}, send.said(text), send.called('t1', 'bash', {command: text}), send.wrote('t1', text));
      screen.dispatch(send.todo([text, 'pending']), send.approval({subject: [{text}], rules: [{rule: text, meaning: text}]}));
      screen.paste(text);
      screen.wait(400);
      screen.press('n');
      screen.resize({columns: columns + 1, rows: 11});
      expect(screen.problems).toEqual([]);
    }
  });
});
