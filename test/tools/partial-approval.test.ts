import {readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {ApprovalAnswer, ApprovalRequest, DispatchResult, FilePreview, ResolvedPermission} from '../../src/tools/dispatch/dispatch.ts';
import {scratch} from '../support/scratch.ts';
import {openToolset, type OpenedToolset, type ToolsetOptions} from './support/open-toolset.ts';

const ASK = () => ({mode: 'ask', rules: [], fallback: 'ask'}) as const;
const lines = (count: number, changed: Readonly<Record<number, string>> = {}, end = '\n') =>
  Array.from({length: count}, (_, index) => `${changed[index + 1] ?? `line ${index + 1}`}${end}`).join('');

interface Asked extends OpenedToolset {
  readonly root: string;
  readonly previews: readonly FilePreview[][];
  readonly resolved: readonly ResolvedPermission[];
}

type Answer = (files: readonly FilePreview[], request: ApprovalRequest) => ApprovalAnswer | Promise<ApprovalAnswer>;

/** A workspace where a person looks at each change before they answer. */
async function asked(files: Record<string, string>, answer: Answer, {name = 'fettle', ...more}: ToolsetOptions & {name?: string} = {}) {
  const root = await scratch(files);
  const [previews, resolved]: [FilePreview[][], ResolvedPermission[]] = [[], []];
  const opened = await openToolset(name, root, {
    policy: ASK,
    approve: async (request) => {
      const shown = (await request.preview?.()) ?? [];
      previews.push([...shown]);
      return await answer(shown, request);
    },
    listener: {onPermissionResolved: (one) => void resolved.push({...one, waitMs: 0})},
    ...more,
  });
  return {...opened, root, previews, resolved} satisfies Asked;
}

const only = (...hunks: readonly (readonly [file: number, hunk: number])[]): ApprovalAnswer => ({
  decision: 'allow',
  hunks: hunks.map(([file, hunk]) => ({file, hunk})),
});
const contents = async (root: string) =>
  Object.fromEntries(
    await Promise.all((await readdir(root)).toSorted().map(async (name) => [name, await readFile(join(root, name), 'utf8')] as const)),
  );
const told = ({outcome, text}: DispatchResult) => `${outcome}: ${text}`;

const SIX = {2: 'TWO', 12: 'TWELVE\nand more', 22: 'TWENTY-TWO'};

describe('a change of which a person allows a part', () => {
  it('is written without the rest, and the model is told what is missing, by its line in the file as it is', async () => {
    const {call, root, previews, resolved} = await asked({'a.txt': lines(24)}, () => only([0, 1]));
    const result = await call('write', {path: 'a.txt', content: lines(24, SIX)});
    expect(
      previews[0]?.map(({path, before, after, hunks}) => [path, before === lines(24), after === lines(24, SIX), hunks?.length]),
    ).toEqual([['a.txt', true, true, 3]]);
    expect(await contents(root)).toEqual({'a.txt': lines(24, {12: 'TWELVE\nand more'})});
    expect(told(result)).toMatchInlineSnapshot(`
      "success: The user applied 1 of 3 changes to a.txt. Left out:
      a.txt, line 2: not replaced by
      +TWO
      a.txt, line 23: not replaced by
      +TWENTY-TWO
      Do not send it again; go on with the files as they are."
    `);
    const changes = result.changes.map(({path, kind}) => `${kind} ${path.slice(root.length + 1)}`);
    expect({...result, changes, text: '', key: '', durationMs: 0}).toMatchInlineSnapshot(`
      {
        "callId": "call_1",
        "changes": [
          "update a.txt",
        ],
        "command": undefined,
        "durationMs": 0,
        "isError": false,
        "key": "",
        "mayWait": false,
        "notes": [],
        "outcome": "success",
        "repairs": [],
        "sideEffect": "write",
        "spoolPath": undefined,
        "structured": {
          "files": [
            {
              "applied": 1,
              "of": 3,
              "path": "a.txt",
            },
          ],
          "partial": true,
        },
        "summary": "applied 1 of 3 changes to a.txt, as chosen",
        "text": "",
        "toolName": "write",
      }
    `);
    expect(resolved).toEqual([{callId: 'call_1', toolName: 'write', decision: 'allow', partial: true, decidedBy: 'person', waitMs: 0}]);
  });

  it('may say why', async () => {
    const {text} = await asked({'a.txt': lines(24)}, () => ({...only([0, 0]), feedback: 'the names stay'}));
    expect(await text('edit', {path: 'a.txt', old_string: 'line 1', new_string: 'LINE 1', replace_all: true})).toMatchInlineSnapshot(`
      "The user applied 1 of 2 changes to a.txt. Left out:
      a.txt, lines 10-19: not replaced by
      +LINE 10
      +LINE 11
      +LINE 12
      +LINE 13
      +LINE 14
      +LINE 15
      +LINE 16
      +LINE 17
      +LINE 18
      +LINE 19
      They said: the names stay
      Do not send it again; go on with the files as they are."
    `);
  });

  it.each<[string, Record<string, string>, string, object, string]>([
    [
      'a file with CR LF',
      {'a.txt': lines(24, {}, '\r\n')},
      'edit',
      {path: 'a.txt', old_string: 'line 2', new_string: 'TWO', replace_all: true},
      lines(24, {2: 'TWO'}, '\r\n'),
    ],
    [
      'a file with a byte order mark',
      {'a.txt': `\uFEFF${lines(24)}`},
      'write',
      {path: 'a.txt', content: lines(24, SIX)},
      `\uFEFF${lines(24, {2: 'TWO'})}`,
    ],
    ['no end of the last line', {'a.txt': 'a\nb'}, 'write', {path: 'a.txt', content: lines(9) + lines(8)}, lines(9) + lines(8)],
  ])('keeps encoding and line endings: %s', async (_name, files, tool, args, expected) => {
    const {call, root} = await asked(files, () => only([0, 0]));
    await call(tool, args);
    expect(await contents(root)).toEqual({'a.txt': expected});
  });

  const PATCH = `*** Begin Patch
*** Update File: a.txt
@@
-line 2
+TWO
@@
-line 22
+TWENTY-TWO
*** Update File: b.txt
@@
-b
+B
*** Add File: c.txt
+new
*** Update File: d.txt
@@
-d
+D
*** End Patch`;
  const FOUR = {'a.txt': lines(24), 'b.txt': 'b\n', 'd.txt': 'd\n'};

  it('several files: what is chosen of each, all of them or none', async () => {
    const {call, root} = await asked(FOUR, () => only([0, 1], [1, 0]), {name: 'blade'});
    const result = await call('apply_patch', {patch: PATCH});
    expect(await contents(root)).toEqual({'a.txt': lines(24, {22: 'TWENTY-TWO'}), 'b.txt': 'B\n', 'd.txt': 'd\n'});
    expect(told(result)).toMatchInlineSnapshot(`
      "success: The user applied 1 of 2 changes to a.txt, all changes to b.txt, no change to c.txt, no change to d.txt. Left out:
      a.txt, line 2: not replaced by
      +TWO
      c.txt: not created
      d.txt, line 1: not replaced by
      +D
      Do not send it again; go on with the files as they are."
    `);
    expect(result.changes.map(({path, kind}) => [path.slice(root.length + 1), kind])).toEqual([
      ['a.txt', 'update'],
      ['b.txt', 'update'],
    ]);
  });

  it('a file that is created is created or not', async () => {
    const {call, root} = await asked(FOUR, () => only([2, 0]), {name: 'blade'});
    const {changes} = await call('apply_patch', {patch: PATCH});
    expect([await contents(root), changes]).toEqual([{...FOUR, 'c.txt': 'new\n'}, [{path: join(root, 'c.txt'), kind: 'add'}]]);
  });

  it('a long change that is left out is not repeated as a whole', async () => {
    const wide = Object.fromEntries(Array.from({length: 40}, (_, index) => [index + 1, `${index} ${'x'.repeat(index < 2 ? 600 : 3)}`]));
    const {text} = await asked({'a.txt': lines(100)}, () => only([0, 1]));
    expect(await text('write', {path: 'a.txt', content: `${lines(100, wide)}end\n`})).toMatchInlineSnapshot(`
      "The user applied 1 of 2 changes to a.txt. Left out:
      a.txt, lines 1-40: not replaced by
      +(a line of 602 characters)
      +(a line of 602 characters)
      +2 xxx
      +3 xxx
      +4 xxx
      +5 xxx
      +6 xxx
      +7 xxx
      +8 xxx
      +9 xxx
      +10 xxx
      +11 xxx
      … 28 more lines
      Do not send it again; go on with the files as they are."
    `);
  });

  it('several places of one change are named one by one, without the text of the file', async () => {
    const {text} = await asked({'a.txt': lines(24)}, () => only([0, 1]));
    const gone = lines(24, {5: 'FIVE', 9: 'line 9\nnew', 22: 'X'}).replace('line 2\nline 3\n', '').replace('line 7\n', '');
    expect(await text('write', {path: 'a.txt', content: gone})).toMatchInlineSnapshot(`
      "The user applied 1 of 2 changes to a.txt. Left out:
      a.txt, lines 2-3: not removed
      a.txt, line 5: not replaced by
      +FIVE
      a.txt, line 7: not removed
      a.txt, before line 10: not added
      +new
      Do not send it again; go on with the files as they are."
    `);
  });

  it('all changes are the call itself, none is a denial', async () => {
    const answers = [only([0, 0], [0, 1], [0, 2]), {...only(), feedback: 'leave it'}];
    const {call, root, resolved} = await asked({'a.txt': lines(24)}, () => answers.shift() ?? {decision: 'cancelled'});
    const results = [await call('write', {path: 'a.txt', content: lines(24, SIX)}), await call('write', {path: 'a.txt', content: 'other'})];
    expect(results.map(told)).toMatchInlineSnapshot(`
      [
        "success: Replaced a.txt (191 bytes).",
        "denied: Error: The user refused this call. They said: leave it
      Do not send it again; find another way.",
      ]
    `);
    expect(await contents(root)).toEqual({'a.txt': lines(24, SIX)});
    expect(resolved.map(({decision, partial}) => [decision, partial])).toEqual([
      ['allow', undefined],
      ['deny', undefined],
    ]);
  });

  it('a later edit of the thread knows the file as it was written', async () => {
    const answers = [only([0, 0]), only([0, 0], [0, 1])];
    const {call, root} = await asked({'a.txt': lines(24)}, () => answers.shift() ?? {decision: 'cancelled'});
    await call('read', {path: 'a.txt'});
    await call('write', {path: 'a.txt', content: lines(24, SIX)});
    const {outcome} = await call('write', {path: 'a.txt', content: lines(24, SIX)});
    expect([outcome, await contents(root)]).toEqual(['success', {'a.txt': lines(24, SIX)}]);
  });

  it('runs between a checkpoint and the verifiers, and secrets stay out of what is told', async () => {
    const happened: string[] = [];
    const limits = {timeoutMs: 10_000, error: /error/, warning: /warning/};
    const {text} = await asked(
      {'a.txt': lines(24), project: ''},
      (_, {toolName}) => (toolName === 'bash' ? {decision: 'allow'} : only([0, 0])),
      {
        secrets: ['TWENTY-TWO'],
        verifiers: [{name: 'lint', extension: '.txt', projectFile: 'project', program: 'echo', args: ['error'], ...limits}],
        checkpoint: async ({toolName, subjects}) => {
          happened.push(`before ${toolName} of ${subjects.length}`);
          return async () => void happened.push('after');
        },
      },
    );
    const said = await text('write', {path: 'a.txt', content: lines(24, {2: 'TWO', 22: 'TWENTY-TWO'})});
    expect([happened, said]).toMatchInlineSnapshot(`
      [
        [
          "before write of 1",
          "after",
        ],
        "The user applied 1 of 2 changes to a.txt. Left out:
      a.txt, line 22: not replaced by
      +[redacted]
      Do not send it again; go on with the files as they are.

      verifier(lint): ok
      error",
      ]
    `);
  });
});

describe('a part is refused', () => {
  const change = {path: 'a.txt', content: lines(24, SIX)};

  it.each<[string, (root: string) => Promise<void>]>([
    ['changed', (root) => writeFile(join(root, 'a.txt'), `${lines(24)}theirs\n`)],
    ['removed', (root) => rm(join(root, 'a.txt'))],
  ])('where the file was %s while the person chose', async (_name, meanwhile) => {
    const at = {root: ''};
    const {call, root} = await asked({'a.txt': lines(24)}, async () => {
      await meanwhile(at.root);
      return only([0, 1]);
    });
    at.root = root;
    const before = async () => (await contents(root))['a.txt'];
    expect(told(await call('write', change))).toBe(
      'error: Error: a.txt has changed since the user chose what to apply. Nothing was written.\nRead it again, then redo the change on its current content.',
    );
    expect(await before()).not.toBe(lines(24, {12: 'TWELVE\nand more'}));
  });

  it('where a new file is there already by then', async () => {
    const at = {root: ''};
    const {call, root} = await asked(
      {'a.txt': lines(24)},
      async () => {
        await writeFile(join(at.root, 'c.txt'), 'theirs\n');
        return only([1, 0]);
      },
      {name: 'blade'},
    );
    at.root = root;
    const patch = '*** Begin Patch\n*** Update File: a.txt\n@@\n-line 2\n+TWO\n*** Add File: c.txt\n+new\n*** End Patch';
    const {outcome, text} = await call('apply_patch', {patch});
    expect([outcome, text.split('\n')[0], await contents(root)]).toEqual([
      'error',
      'tool_error: c.txt has changed since the user chose what to apply. Nothing was written.',
      {'a.txt': lines(24), 'c.txt': 'theirs\n'},
    ]);
  });

  it('where the thread knows another state of the file than the person saw', async () => {
    const {call, root} = await asked({'a.txt': lines(24)}, () => only([0, 1]));
    await call('read', {path: 'a.txt'});
    await writeFile(join(root, 'a.txt'), `${lines(24)}theirs\n`);
    const {outcome} = await call('write', change);
    expect([outcome, await contents(root)]).toEqual(['error', {'a.txt': `${lines(24)}theirs\n`}]);
  });

  it.each<[string, ApprovalAnswer]>([
    ['a file', only([1, 0])],
    ['a change', only([0, 3])],
    ['a number', only([0, Number.NaN])],
  ])('that was not in the preview: %s', async (_name, answer) => {
    const {call, root, resolved} = await asked({'a.txt': lines(24)}, () => answer);
    const {outcome} = await call('write', change);
    expect([outcome, await contents(root), resolved.map(({decision}) => decision)]).toEqual(['error', {'a.txt': lines(24)}, ['deny']]);
  });

  it('of a call whose preview nobody asked for', async () => {
    const {call, root} = await asked({'a.txt': lines(24)}, () => only([0, 0]), {approve: async () => only([0, 0])});
    const {outcome} = await call('write', change);
    expect([outcome, await contents(root)]).toEqual(['error', {'a.txt': lines(24)}]);
  });

  const NEW = '*** Begin Patch\n*** Update File: a.txt\n@@\n-line 2\n+TWO\n';
  it.each<[string, string, object]>([
    ['a command', 'bash', {command: 'touch x'}],
    ['a file is deleted besides', 'apply_patch', {patch: `${NEW}*** Delete File: b.txt\n*** End Patch`}],
    ['a file is moved besides', 'apply_patch', {patch: `${NEW}*** Update File: b.txt\n*** Move to: c.txt\n@@\n-b\n+B\n*** End Patch`}],
    ['a file is replaced by a new one', 'apply_patch', {patch: `${NEW}*** Add File: b.txt\n+B\n*** End Patch`}],
    ['the same file twice', 'apply_patch', {patch: `${NEW}*** Update File: a.txt\n@@\n-line 22\n+X\n*** End Patch`}],
    ['an empty file is created besides', 'apply_patch', {patch: `${NEW}*** Add File: c.txt\n*** End Patch`}],
  ])('where that would not be all that the call does: %s', async (_name, tool, args) => {
    const files = {'a.txt': lines(24), 'b.txt': 'b\n'};
    const {call, root, previews} = await asked(files, () => only([0, 0]), {name: 'blade'});
    const {outcome} = await call(tool, args);
    expect([outcome, await contents(root), previews.flat().some(({hunks}) => hunks !== undefined)]).toEqual(['error', files, false]);
  });

  it('tells a file that is deleted from one that is emptied', async () => {
    const patch = '*** Begin Patch\n*** Delete File: a.txt\n*** Update File: b.txt\n@@\n-b\n*** End Patch';
    const {call, previews} = await asked({'a.txt': 'a\n', 'b.txt': 'b\n'}, () => ({decision: 'deny'}), {name: 'blade'});
    await call('apply_patch', {patch});
    expect(previews).toEqual([
      [
        {path: 'a.txt', before: 'a\n', after: undefined},
        {path: 'b.txt', before: 'b\n', after: ''},
      ],
    ]);
  });

  it('when the turn is cancelled while the person chooses', async () => {
    const stop = new AbortController();
    const {call, root} = await asked({'a.txt': lines(24)}, () => {
      stop.abort();
      return only([0, 0]);
    });
    const {outcome} = await call('write', change, stop.signal);
    expect([outcome, await contents(root)]).toEqual(['cancelled', {'a.txt': lines(24)}]);
  });
});
