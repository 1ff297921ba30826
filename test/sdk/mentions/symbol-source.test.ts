import {describe, expect, it} from 'vitest';
import type {CodeGraph, IndexStatus} from '../../../src/code/code-graph.ts';
import type {CodeSymbol} from '../../../src/code/symbol.ts';
import {createSymbolSource} from '../../../src/sdk/mentions/symbol-source.ts';

const never = new AbortController().signal;
const RANGE = {start: {line: 0, character: 0}, end: {line: 1, character: 0}};
const SYMBOL: CodeSymbol = {
  id: 'a.ts::go#function',
  name: 'go',
  qualifiedName: 'go',
  kind: 'function',
  path: 'a.ts',
  range: RANGE,
  nameRange: RANGE,
  signature: 'function go()',
  exported: true,
};
const asked = {text: 'go', limit: 5, mayBuild: true};

/** An index whose updates end when the test says so. */
function index({builtAt}: {readonly builtAt?: number} = {}) {
  const updates: PromiseWithResolvers<void>[] = [];
  let built = builtAt;
  const status = (): IndexStatus => ({
    state: built === undefined ? 'absent' : 'ready',
    files: 0,
    symbols: 0,
    relations: 0,
    broken: 0,
    languages: {},
    ...(built === undefined ? {} : {builtAt: built}),
  });
  const graph: Pick<CodeGraph, 'status' | 'fresh' | 'search'> = {
    status: async () => status(),
    async fresh() {
      const update = Promise.withResolvers<void>();
      updates.push(update);
      await update.promise;
      built = 1;
      return status();
    },
    search: async () => ({symbols: [{symbol: SYMBOL, score: 1}], truncated: false}),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the source uses no more of it
  return {updates, code: {open: async () => graph as CodeGraph}};
}

describe('symbols for a person who types', () => {
  it('are those of the index as it stands, which is brought up to date meanwhile, every 10 seconds at most', async () => {
    const {code, updates} = index({builtAt: 1});
    let now = 0;
    const {find} = createSymbolSource(code, () => now);
    expect([await find(asked, never), await find(asked, never), updates.length]).toEqual([[SYMBOL], [SYMBOL], 1]);
    now = 10_000;
    expect([await find(asked, never), updates.length]).toEqual([[SYMBOL], 2]);
  });

  it('wait for an index that is built for the first time; a question that is cancelled leaves the building alone', async () => {
    const {code, updates} = index();
    const {find} = createSymbolSource(code, () => 0);
    const stop = new AbortController();
    const first = find(asked, stop.signal);
    await expect.poll(() => updates.length).toBe(1);
    stop.abort();
    await expect(first).rejects.toMatchObject({code: 'CANCELLED'});
    const second = find(asked, never);
    updates[0]?.resolve();
    expect([await second, updates.length]).toEqual([[SYMBOL], 1]);
  });

  it('none where an index is missing and may not be built, where there can be none, and for no text', async () => {
    const {code, updates} = index();
    const {find} = createSymbolSource(code);
    expect([
      await find({...asked, mayBuild: false}, never),
      await find({...asked, text: ''}, never),
      await createSymbolSource(undefined).find(asked, never),
      updates.length,
    ]).toEqual([[], [], [], 0]);
  });
});
