import nodeFs from 'node:fs';
import {join} from 'node:path';
import {afterEach, describe, expect, it, vi} from 'vitest';
import {inputSchema} from '../../../src/tools/arguments/schema.ts';
import {createDispatcher} from '../../../src/tools/dispatch/dispatcher.ts';
import type {DispatcherOptions} from '../../../src/tools/dispatch/dispatch.ts';
import {loadToolsetByName} from '../../../src/tools/toolsets/load-toolset.ts';
import type {Tool} from '../../../src/tools/toolset.ts';
import {createCheckpointer} from '../../../src/workspace/checkpoints/checkpointer.ts';
import {STORE_FS} from '../../../src/workspace/checkpoints/store/store-fs.ts';
import {makePlace, storePlace} from '../../../src/workspace/checkpoints/store/store-place.ts';
import type {Workspace} from '../../../src/workspace/workspace.ts';
import {scratch} from '../../support/scratch.ts';
import {ALLOW_ALL, realContext} from '../support/open-toolset.ts';

afterEach(() => void vi.restoreAllMocks());

interface Counts {
  readonly resolved: string[];
  readonly prepared: string[];
}

/** The tools of a toolset on real files; what is counted goes through to what does it. */
async function counting(root: string, options: Partial<DispatcherOptions> = {}) {
  const counts: Counts = {resolved: [], prepared: []};
  const context = await realContext(root);
  const {workspace} = context;
  const counted: Workspace = {
    root: workspace.root,
    async resolve(path, how) {
      counts.resolved.push(path);
      return await workspace.resolve(path, how);
    },
  };
  const toolset = await loadToolsetByName('fettle');
  const tools = toolset.tools.map((tool): Tool => {
    const prepare: Tool['prepare'] = (input) => {
      counts.prepared.push(tool.name);
      return tool.prepare(input);
    };
    return {...tool, prepare};
  });
  const dispatcher = createDispatcher({
    toolset: {...toolset, tools},
    policy: () => ALLOW_ALL,
    spoolDir: join(root, '.spool'),
    context: {...context, workspace: counted},
    ...options,
  });
  let calls = 0;
  const asked = (name: string, args: object) => ({id: `call_${(calls += 1)}`, name, arguments: JSON.stringify(args)});
  const dispatch = async (...all: readonly (readonly [string, object])[]) => {
    const results = await dispatcher.dispatchAll(
      all.map(([name, args]) => asked(name, args)),
      new AbortController().signal,
    );
    return results.map(({outcome}) => outcome);
  };
  return {dispatch, counts};
}

const EDIT = (path: string) => ['edit', {path, old_string: 'one', new_string: 'two'}] as const;

describe('what a call costs once and no more', () => {
  it.each([
    ['read', {path: 'a.txt'}],
    ['edit', {path: 'a.txt', old_string: 'one', new_string: 'two'}],
    ['write', {path: 'a.txt', content: 'two\n'}],
    ['write', {path: 'new/b.txt', content: 'two\n'}],
    ['grep', {pattern: 'one', path: 'a.txt'}],
    ['glob', {pattern: '*.txt', path: '.'}],
    ['ls', {path: '.'}],
  ])('%s %j: prepared once, and its path resolved once', async (name, args) => {
    const {dispatch, counts} = await counting(await scratch({'a.txt': 'one\n'}));
    expect(await dispatch([name, args])).toEqual(['success']);
    expect(counts).toEqual({resolved: ['path' in args ? args.path : ''], prepared: [name]});
  });

  it('edits of different files in one reply: each path once, for the plan and for the run', async () => {
    const {dispatch, counts} = await counting(await scratch({'a.txt': 'one\n', 'b.txt': 'one\n'}));
    expect(await dispatch(EDIT('a.txt'), EDIT('b.txt'))).toEqual(['success', 'success']);
    expect(counts).toEqual({resolved: ['a.txt', 'b.txt'], prepared: ['edit', 'edit']});
  });

  it('a call behind a write of the same reply is resolved when its turn comes', async () => {
    const {dispatch} = await counting(await scratch({}));
    const write = ['write', {path: 'new/a.txt', content: 'one\n'}] as const;
    expect(await dispatch(write, EDIT('new/a.txt'), ['read', {path: 'new/a.txt'}])).toEqual(['success', 'success', 'success']);
  });

  it('a tool whose question is answered is not resolved again', async () => {
    const root = await scratch({'a.txt': 'one\n'});
    const policy = {mode: 'ask', rules: [], fallback: 'ask'} as const;
    const {dispatch, counts} = await counting(root, {
      policy: () => policy,
      approve: async (request) => {
        await request.preview?.();
        return {decision: 'allow'};
      },
    });
    expect(await dispatch(EDIT('a.txt'))).toEqual(['success']);
    expect(counts).toEqual({resolved: ['a.txt'], prepared: ['edit']});
  });

  it('the schema of an input is built once for each tool', async () => {
    const {tools} = await loadToolsetByName('fettle');
    const first = tools.map(inputSchema);
    const again = tools.map((tool) => inputSchema({...tool, name: 'a copy of it'}));
    expect(again.every((schema, index) => schema === first[index])).toBe(true);
  });

  it('an edit waits for the disk once; the first of a file in a turn for what undo needs, too', async () => {
    const root = await scratch({'a.txt': 'one\n'});
    const waits: string[] = [];
    const {fsync} = nodeFs;
    vi.spyOn(nodeFs, 'fsync').mockImplementation((fd: number, done: nodeFs.NoParamCallback) => {
      waits.push('file');
      fsync(fd, done);
    });
    const fdatasync = async (fd: number): Promise<void> => {
      waits.push('undo');
      await STORE_FS.fdatasync(fd);
    };
    const place = storePlace(await scratch({}), root);
    makePlace(place);
    const limits = {maxFileBytes: 1e6, maxBytes: 1e6, maxEntries: 1000, maxReadMs: 1000};
    const fs = {...STORE_FS, fdatasync};
    const checkpointer = createCheckpointer({place, session: 'thr_1', limits, ignored: false, env: {}, isBusy: () => false, fs});
    checkpointer.beginTurn({id: 'trn_1', title: ''});
    const {dispatch} = await counting(root, {
      checkpoint: async (_, signal) => (await checkpointer.before({paths: ['a.txt']}, signal)).finish,
    });
    await dispatch(EDIT('a.txt'));
    const first = waits.splice(0);
    await dispatch(['edit', {path: 'a.txt', old_string: 'two', new_string: 'three'}]);
    expect({first, next: waits}).toEqual({first: ['undo', 'undo', 'undo', 'file'], next: ['file']});
  });
});
