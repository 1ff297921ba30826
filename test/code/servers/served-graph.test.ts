import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import type {CodeGraph} from '../../../src/code/code-graph.ts';
import {servedGraph, type ServedGraphOptions} from '../../../src/code/servers/served-graph.ts';
import {indexed as indexFiles} from '../edits/support.ts';

const signal = new AbortController().signal;
const FILES = {
  'a.ts': 'export class A {\n  run() {}\n}\n',
  'b.ts': "import {A} from './a.ts';\nexport const f = (any: any) =>\nany.run();\nnew A().run();\n",
};
const RUN = 'a.ts::A.run#method';
const at = (line: number, from: number, to: number) => ({start: {line, character: from}, end: {line, character: to}});

type Places = Awaited<ReturnType<ServedGraphOptions['servers']['references']>>;

async function served(
  say: (root: string, stop: AbortSignal) => Promise<Places>,
): Promise<{graph: CodeGraph; indexed: CodeGraph; root: string}> {
  const {root, graph: indexed} = await indexFiles(FILES);
  const servers = {
    references: async (_: unknown, stop: AbortSignal) => await say(root, stop),
    definitions: async (_: unknown, stop: AbortSignal) => await say(root, stop),
  };
  return {root, indexed, graph: servedGraph(indexed, {servers, root, timeoutMs: 200})};
}

const shown = async (graph: CodeGraph, limit = 10) => {
  const {places, unproven, truncated} = await graph.references(RUN, {limit}, signal);
  const text = ({path, range: {start}, kind}: (typeof places)[number]): string => `${path}:${start.line}:${start.character} ${kind}`;
  return [places.map(text), unproven.map(text), truncated];
};

describe('servedGraph (issue 6: "definitions, references … when present, index as fallback")', {timeout: 60_000}, () => {
  it('references are those of the server, with what the index knows of them; nothing from outside', async () => {
    const {graph, indexed, root} = await served(async (folder) => [
      {file: join(folder, 'b.ts'), range: at(2, 4, 7)},
      {file: join(folder, 'b.ts'), range: at(3, 8, 11)},
      {file: join(folder, 'a.ts'), range: at(1, 2, 5)},
      {file: join(folder, 'node_modules/x/y.ts'), range: at(0, 0, 3)},
      {file: '/etc/passwd', range: at(0, 0, 3)},
    ]);
    expect(await shown(graph)).toEqual([['a.ts:1:2 reference', 'b.ts:2:4 reference', 'b.ts:3:8 call'], [], false]);
    expect(await shown(graph, 1)).toEqual([['a.ts:1:2 reference'], [], true]);
    expect(await shown(indexed)).toEqual([['a.ts:1:2 reference', 'b.ts:3:8 call'], ['b.ts:2:4 call'], false]);
    expect(await graph.definitionAt('b.ts', {line: 3, character: 8}, signal)).toHaveLength(3);
    expect(root).not.toBe('');
  });

  it.each([
    ['there is none for the language', async () => undefined],
    ['it fails', async () => Promise.reject(new Error('gone'))],
    ['it does not know the symbol', async () => []],
    ['it speaks of something else', async (root: string) => [{file: join(root, 'b.ts'), range: at(0, 0, 1)}]],
    [
      'it is silent',
      async (_: string, stop: AbortSignal) =>
        await new Promise<never>((_resolve, reject) => stop.addEventListener('abort', () => reject(new Error('late')))),
    ],
  ])('the index answers where %s', async (_, say) => {
    const {graph, indexed} = await served(say);
    expect(await shown(graph)).toEqual(await shown(indexed));
  });

  it('who asked can stop it', async () => {
    const {graph} = await served(async () => undefined);
    await expect(graph.references(RUN, {limit: 1}, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });
});
