import {describe, expect, it} from 'vitest';
import type {ProjectTrust} from '../../../src/config/trust/evaluate-project.ts';
import {makeItem} from '../../../src/config/trust/read-item.ts';
import {trustEntries} from '../../../src/config/trust/trust-entries.ts';
import type {TrustItem, TrustKind} from '../../../src/config/trust/trust-item.ts';
import {trustQuestion} from '../../../src/config/trust/trust-question.ts';

const item = (path: string, text: string, kind: TrustKind): TrustItem => makeItem(path, kind, Buffer.from(text));
const project = (more: Partial<ProjectTrust>): ProjectTrust => ({
  root: '/p',
  folder: '1:2',
  items: [],
  problems: [],
  state: 'unknown',
  changed: [],
  ...more,
});

const HOOK = item('.fettle/hooks.toml', '[[pre_tool_use]]\ncommand = "./check.sh"\n', 'hook');
const TEXT = item('AGENTS.md', 'be kind\n', 'instructions');
const AROUND = item('.fettle/middleware/m.ts', 'code', 'middleware');
const DOES = {
  hook: ['hook .fettle/hooks.toml: runs ./check.sh'],
  text: ['instructions AGENTS.md: 8 bytes that go to the model with every request'],
  around: ['middleware .fettle/middleware/m.ts: its code runs in Fettle itself, around every call of a tool'],
};

describe('trustEntries', () => {
  it('lists all of a project that nobody was asked about: what is run last', async () => {
    expect(await trustEntries(project({items: [AROUND, HOOK, TEXT]}))).toEqual([
      {path: 'AGENTS.md', does: DOES.text, after: 'be kind\n'},
      {path: '.fettle/hooks.toml', does: DOES.hook, after: '[[pre_tool_use]]\ncommand = "./check.sh"\n'},
      {path: '.fettle/middleware/m.ts', does: DOES.around, after: 'code'},
    ]);
  });

  it('lists of a change what is gone, new or changed, with both texts; and not what is as it was', async () => {
    const changed = project({
      state: 'changed',
      items: [AROUND, HOOK, TEXT],
      changed: [
        {item: AROUND, change: 'new', before: undefined},
        {item: TEXT, change: 'changed', before: 'be nice\n'},
      ],
      gone: [
        {path: 'sub/AGENTS.md', kind: 'instructions', digest: 'x', text: 'of sub'},
        {path: 'large.md', kind: 'rule', digest: 'x'},
      ],
    });
    expect(await trustEntries(changed)).toEqual([
      {path: 'sub/AGENTS.md', change: 'gone', does: [], before: 'of sub'},
      {path: 'large.md', change: 'gone', does: [], before: undefined},
      {path: 'AGENTS.md', change: 'changed', does: DOES.text, before: 'be nice\n', after: 'be kind\n'},
      {path: '.fettle/middleware/m.ts', change: 'new', does: DOES.around, after: 'code'},
    ]);
    expect(await trustQuestion(changed)).toMatchInlineSnapshot(`
      "  gone: sub/AGENTS.md
        gone: large.md
        instructions AGENTS.md: 8 bytes that go to the model with every request
        middleware .fettle/middleware/m.ts: its code runs in Fettle itself, around every call of a tool

      --- a/.fettle/middleware/m.ts
      +++ b/.fettle/middleware/m.ts
      @@ -0,0 +1,1 @@
      +code
      \\ No newline at end of file

      --- a/AGENTS.md
      +++ b/AGENTS.md
      @@ -1,1 +1,1 @@
      -be nice
      +be kind
      "
    `);
  });

  it('spells out what cannot be seen, in paths and in both texts; ends of lines only where nothing else differs', async () => {
    const entries = await trustEntries(
      project({
        state: 'changed',
        changed: [
          {item: item('a\u001b[2J.md', 'x\u202ey\r\n', 'rule'), change: 'changed', before: 'x\u0007\n'},
          {item: item('b.md', 'one\r\n', 'rule'), change: 'changed', before: 'one\n'},
        ],
        gone: [{path: 'c\n.md', kind: 'rule', digest: 'x', text: '\u001b]0;t\u0007'}],
      }),
    );
    expect(entries.map(({path, before, after}) => [path, before, after])).toEqual([
      [String.raw`c\n.md`, String.raw`\u001b]0;t\u0007`, undefined],
      [String.raw`a\u001b[2J.md`, 'x\\u0007\n', 'x\\u202ey\n'],
      ['b.md', 'one\n', 'one\\u000d\n'],
    ]);
  });
});
