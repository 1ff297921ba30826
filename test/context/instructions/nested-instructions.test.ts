import {describe, expect, it} from 'vitest';
import {matchesGlobs} from '../../../src/context/instructions/path-rule.ts';
import {scopedPath} from '../../../src/context/instructions/instruction.ts';
import {createNestedInstructions, type NestedInstructions} from '../../../src/context/instructions/nested-instructions.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import type {Message} from '../../../src/protocol/messages.ts';

const FOLDERS: Readonly<Record<string, string>> = {'': 'of the root', 'a/': 'of a', 'a/b/': 'of b', 'big/': `${'x'.repeat(40_000)}\ny`};
const rule = {path: 'r.md', scope: 'user', text: 'a rule', globs: ['*.ts'], matches: matchesGlobs(['*.ts'])} as const;

function nested(asked: string[] = []): NestedInstructions {
  return createNestedInstructions({
    root: '/p',
    always: new Set(['AGENTS.md']),
    rules: [rule],
    async fileOf(folder) {
      asked.push(folder);
      const text = FOLDERS[folder];
      if (folder === 'bad/') return {path: 'bad/AGENTS.md', problem: 'nobody trusts it'};
      return text === undefined ? undefined : {path: `${folder}AGENTS.md`, text};
    },
    read: async () => undefined,
  });
}

const injected = (text: string): ThreadEvent => ({type: 'item.completed', item: {id: 'i', type: 'user_message', text, origin: 'harness'}});
const boundary: ThreadEvent = {
  type: 'thread.compact_boundary',
  thread_id: 't',
  trigger: 'auto',
  mode: 'local',
  original_message_count: 9,
  compacted_message_count: 1,
};
const rewound: ThreadEvent = {type: 'thread.rewound', thread_id: 't', to: 'x', checkpoint_id: 'c'};
const asMessage = (text: string): Message => ({role: 'user', text});

/** What is due, as it is said, and taken into the conversation. */
async function due(one: NestedInstructions, touched: readonly string[], messages: Message[]): Promise<(string | undefined)[]> {
  for (const path of touched) one.touch(path);
  const {texts} = await one.due(messages);
  for (const text of texts) one.observe(injected(text));
  messages.push(...texts.map(asMessage));
  return texts.map(scopedPath);
}

describe('createNestedInstructions', () => {
  it('gives the files on the way to a file, and rules that fit, once; each folder is looked at once', async () => {
    const asked: string[] = [];
    const one = nested(asked);
    const messages: Message[] = [];
    expect(await due(one, ['/p/a/b/x.ts', '/p/a/y.md'], messages)).toEqual(['a/AGENTS.md', 'a/b/AGENTS.md', 'r.md']);
    expect(await due(one, ['/p/a/b/x.ts', '/p/z.ts', '/elsewhere/a/x.ts', '/p'], messages)).toEqual([]);
    expect(asked).toEqual(['', 'a/', 'a/b/']);
    expect(messages[0]).toEqual(asMessage('Instructions of this project for a/, from a/AGENTS.md:\n<instructions>\nof a\n</instructions>'));
    expect(messages[2]).toEqual(asMessage('Instructions of the user for *.ts, from r.md:\n<instructions>\na rule\n</instructions>'));
  });

  it('after a compaction what is no longer shown is given again, and nothing else', async () => {
    const one = nested();
    const messages: Message[] = [];
    await due(one, ['/p/a/x.md', '/p/x.ts'], messages);
    one.observe(boundary);
    expect(one.mayMiss()).toBe(true);
    const left = messages.slice(1);
    expect([await due(one, [], left), one.mayMiss()]).toEqual([['a/AGENTS.md'], false]);
    expect(await due(one, ['/p/a/x.md'], left)).toEqual([]);
  });

  it('after a rewinding nothing is given by itself; with the next use it is', async () => {
    const one = nested();
    await due(one, ['/p/a/x.md'], []);
    one.observe(rewound);
    expect(await due(one, [], [])).toEqual([]);
    expect(await due(one, ['/p/a/x.md'], [])).toEqual(['a/AGENTS.md']);
  });

  it('a resumed thread: what its log gave counts, also where a compaction took it out', async () => {
    const one = nested();
    one.observe(injected('Instructions of this project for a/, from a/AGENTS.md:\n<instructions>\nold\n</instructions>'));
    one.observe(injected('Instructions of this project for gone/, from gone/AGENTS.md:\n<instructions>\nold\n</instructions>'));
    one.observe(boundary);
    expect(await due(one, [], [])).toEqual(['a/AGENTS.md']);
  });

  it('what nobody trusts is a problem, once; what is too long is cut and told', async () => {
    const one = nested();
    one.touch('/p/bad/x.md');
    one.touch('/p/big/x.md');
    const {texts, problems} = await one.due([]);
    expect(problems).toEqual([
      {path: 'bad/AGENTS.md', message: 'bad/AGENTS.md: not used: nobody trusts it'},
      {path: 'big/AGENTS.md', message: 'big/AGENTS.md: only the first 0 bytes go to the model'},
    ]);
    expect(texts).toEqual([]);
    one.touch('/p/bad/y.md');
    expect((await one.due([])).problems).toEqual([]);
  });

  it('words of a person that look like it are none', () => {
    expect([scopedPath('Instructions of this project, from AGENTS.md:\n<instructions>\nx'), scopedPath('hi')]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
