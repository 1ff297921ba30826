import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {describe, expect, it} from 'vitest';
import {plainOperation} from '../../../src/tools/operation.ts';
import type {ToolContext} from '../../../src/tools/context.ts';
import {createDispatcher} from '../../../src/tools/dispatch/dispatcher.ts';
import {createMemoryEditor} from '../../../src/tools/ports/memory-editor.ts';
import type {Operation} from '../../../src/tools/operation.ts';
import {editorGoTo} from '../../../src/tools/operations/editor/editor-go-to.ts';
import {editorInsert} from '../../../src/tools/operations/editor/editor-insert.ts';
import {editorOpen} from '../../../src/tools/operations/editor/editor-open.ts';
import {editorReplace} from '../../../src/tools/operations/editor/editor-replace.ts';
import {editorSelection} from '../../../src/tools/operations/editor/editor-selection.ts';
import {editorState} from '../../../src/tools/operations/editor/editor-state.ts';
import type {ToolItem, ToolStreamEvent} from '../../../src/tools/stream-event.ts';
import {defineTool, type Tool} from '../../../src/tools/toolset.ts';
import {scratch} from '../../support/scratch.ts';
import {fakeToolset} from '../support/fake-toolset.ts';
import {ALLOW_ALL, realContext} from '../support/open-toolset.ts';
import {outcomeOf} from '../support/run-operation.ts';

const signal = new AbortController().signal;

async function rig(files: Readonly<Record<string, string>>) {
  const root = await scratch(files);
  const given = await realContext(root);
  const editor = createMemoryEditor(given);
  const ctx: ToolContext = {...given, editor, callId: 'c', signal, spoolDir: join(root, '.spool')};
  const events: ToolStreamEvent[] = [];
  const run = <Args, Result>(operation: Operation<Args, Result>, args: Args) => outcomeOf(operation, args, {ctx, events});
  const items = (): ToolItem['item'][] => events.flatMap((event) => (event.type === 'item' ? [event.item] : []));
  return {root, ctx, editor, run, items, events};
}

const NOTHING = {code: 'UNAVAILABLE', message: 'No file is open in the editor.', hint: 'Open one first.'};

describe('zblade tool calls › Editor and UI Interaction Tools', () => {
  it('get_editor_state: JSON of exactly these fields', async () => {
    const {run, editor} = await rig({'src/a.txt': 'one\ntwo\n', 'b.txt': ''});
    expect(JSON.stringify(await run(editorState, {}))).toBe(
      '{"active_file":null,"open_files":[],"active_tab_index":null,"cursor_line":null,"cursor_column":null,"selection_start_line":null,"selection_end_line":null}',
    );
    await run(editorOpen, {path: 'b.txt'});
    await run(editorOpen, {path: 'src/a.txt', line: 2});
    await editor.select({line: 1, column: 1}, {line: 2, column: 3}, signal);
    expect(JSON.stringify(await run(editorState, {}))).toBe(
      '{"active_file":"src/a.txt","open_files":["b.txt","src/a.txt"],"active_tab_index":1,"cursor_line":2,"cursor_column":3,"selection_start_line":1,"selection_end_line":2}',
    );
  });

  it('each action is done, answered as a payload, and told to front ends as an item', async () => {
    const {run, root, editor, items} = await rig({'a.txt': 'one\ntwo\n'});
    const file = join(root, 'a.txt');
    expect(await run(editorOpen, {path: './a.txt', line: 2})).toEqual({action: 'open_file', path: 'a.txt', line: 2});
    expect(await run(editorOpen, {path: 'a.txt'})).toEqual({action: 'open_file', path: 'a.txt'});
    expect(await run(editorGoTo, {line: 1, column: 2})).toEqual({action: 'goto_line', line: 1, column: 2});
    expect(await run(editorGoTo, {line: 1})).toEqual({action: 'goto_line', line: 1});
    await editor.select({line: 1, column: 1}, {line: 1, column: 4}, signal);
    expect(await run(editorSelection, {})).toEqual({action: 'get_selection', selection: 'one'});
    expect(await run(editorReplace, {content: '1'})).toEqual({action: 'replace_selection', content: '1', path: 'a.txt', file});
    expect(await run(editorInsert, {content: '!'})).toEqual({action: 'insert_at_cursor', content: '!', path: 'a.txt', file});
    expect(await readFile(file, 'utf8')).toBe('1!\ntwo\n');
    expect(items()).toEqual([
      {type: 'editor_action', action: 'open_file', path: 'a.txt', line: 2},
      {type: 'editor_action', action: 'open_file', path: 'a.txt'},
      {type: 'editor_action', action: 'goto_line', line: 1, column: 2},
      {type: 'editor_action', action: 'goto_line', line: 1},
      {type: 'editor_action', action: 'get_selection', selection: 'one'},
      {type: 'editor_action', action: 'replace_selection', path: 'a.txt', content: '1'},
      {type: 'editor_action', action: 'insert_at_cursor', path: 'a.txt', content: '!'},
    ]);
  });

  it('what fails is told to nobody: no file open, no such file, no such line', async () => {
    const {run, events} = await rig({'a.txt': ''});
    expect(await run(editorGoTo, {line: 1})).toEqual(NOTHING);
    expect(await run(editorSelection, {})).toEqual(NOTHING);
    expect(await run(editorReplace, {content: 'x'})).toEqual(NOTHING);
    expect(await run(editorInsert, {content: 'x'})).toEqual(NOTHING);
    expect(await run(editorOpen, {path: 'A.txt'})).toMatchObject({code: 'NOT_FOUND', hint: 'Did you mean a.txt?'});
    expect(await run(editorOpen, {path: 'a.txt', line: 7})).toMatchObject({code: 'BAD_ARGS'});
    expect(events).toEqual([]);
  });

  it('without an editor nothing is pretended', async () => {
    const ctx = {signal} as ToolContext;
    const none = {code: 'UNAVAILABLE', message: 'No editor is available.', hint: 'Use the file tools.'};
    expect(await outcomeOf(editorState, {}, {ctx})).toEqual(none);
    expect(await outcomeOf(editorGoTo, {line: 1}, {ctx})).toEqual(none);
    expect(await outcomeOf(editorInsert, {content: ''}, {ctx})).toEqual(none);
  });

  it('a write is judged on the file that is open, and needs no permission where none is', async () => {
    const {ctx, run, root} = await rig({'a.txt': ''});
    await expect(editorInsert.subjects({content: ''}, ctx)).rejects.toMatchObject({code: 'UNAVAILABLE'});
    await run(editorOpen, {path: 'a.txt'});
    expect(await editorInsert.subjects({content: ''}, ctx)).toEqual([
      {kind: 'path', path: join(root, 'a.txt'), relative: 'a.txt', inside: true, write: true, requested: 'a.txt'},
    ]);
  });
});

describe('the calls of one reply', () => {
  const tool = <Args>(name: string, operation: Operation<Args, object>, input: z.ZodMiniObject): Tool =>
    defineTool({
      name,
      description: name,
      input,
      operation,
      toArgs: (given) => given as Args,
      render: (result) => ({text: JSON.stringify(result), summary: name}),
    });
  const tools = [
    tool('open_file', editorOpen, z.object({path: z.string()})),
    tool('goto_line', editorGoTo, z.object({line: z.number()})),
    tool('insert_at_cursor', editorInsert, z.object({content: z.string()})),
    tool('get_editor_state', editorState, z.object({})),
  ];

  it('act on the editor in their order', async () => {
    const {root, ctx} = await rig({'a.txt': 'one\ntwo\n', 'b.txt': 'x\n'});
    const items: ToolItem['item'][] = [];
    const dispatcher = createDispatcher({
      toolset: fakeToolset(tools),
      policy: () => ALLOW_ALL,
      spoolDir: ctx.spoolDir,
      context: ctx,
      secrets: ['hush-hush'],
      listener: {onItem: ({item}) => void items.push(item)},
    });
    const calls: [string, object][] = [
      ['open_file', {path: 'a.txt'}],
      ['goto_line', {line: 2}],
      ['insert_at_cursor', {content: '> '}],
      ['open_file', {path: 'b.txt'}],
      ['goto_line', {line: 2}],
      ['insert_at_cursor', {content: 'hush-hush'}],
      ['get_editor_state', {}],
    ];
    const results = await dispatcher.dispatchAll(
      calls.map(([name, input], index) => ({id: `c${index}`, name, arguments: JSON.stringify(input)})),
      signal,
    );
    expect(results.map(({outcome}) => outcome)).toEqual(calls.map(() => 'success'));
    expect(results.at(-1)?.text).toContain('"active_file":"b.txt","open_files":["a.txt","b.txt"]');
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('one\n> two\n');
    expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('x\nhush-hush');
    expect(items.map((item) => (item.type === 'editor_action' ? [item.action, item.content] : []))).toEqual([
      ['open_file', undefined],
      ['goto_line', undefined],
      ['insert_at_cursor', '> '],
      ['open_file', undefined],
      ['goto_line', undefined],
      ['insert_at_cursor', '[redacted]'],
    ]);
  });

  it('what is done inside of another call is told, too', async () => {
    const {ctx} = await rig({'a.txt': ''});
    const items: ToolItem['item'][] = [];
    const outer = defineTool({
      name: 'outer',
      description: 'outer',
      input: z.object({}),
      operation: plainOperation({
        id: 'test.outer',
        permission: 'outer',
        args: z.object({}),
        result: z.object({}),
        sideEffect: 'read',
        subjects: async () => [],
        run: async (_, {nested}) => (await nested?.run('open_file', {path: 'a.txt'}, signal)) ?? {},
      }),
      toArgs: () => ({}),
      render: (result) => ({text: JSON.stringify(result), summary: 'outer'}),
    });
    const listener = {onItem: (told: {readonly item: ToolItem['item']}) => void items.push(told.item)};
    const dispatcher = createDispatcher({
      toolset: fakeToolset([...tools, outer]),
      policy: () => ALLOW_ALL,
      spoolDir: ctx.spoolDir,
      context: ctx,
      listener,
    });
    await dispatcher.dispatch({id: 'c1', name: 'outer', arguments: '{}'}, signal);
    expect(items).toEqual([{type: 'editor_action', action: 'open_file', path: 'a.txt'}]);
  });
});
