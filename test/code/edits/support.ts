import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {onTestFinished, vi} from 'vitest';
import type {EditPlan, EditSources} from '../../../src/code/edits/edit-plan.ts';
import type * as indexChild from '../../../src/code/index/index-child.ts';
import {openCodeGraph} from '../../../src/code/index/open-code-graph.ts';
import type {CodeSymbol} from '../../../src/code/symbol.ts';
import {scratch} from '../../support/scratch.ts';

// Nearly all the time of an index of a few files is the start of its process. Tests that use this are of the project `whole`, where each file has
// modules of its own.
vi.mock('../../../src/code/index/index-child.ts', async (importActual) => {
  const actual = await importActual<typeof indexChild>();
  const {sharedChild} = await import('../shared-child.ts');
  return {...actual, createIndexChild: sharedChild(actual.createIndexChild)};
});

export const signal = new AbortController().signal;

/** Files with a real index over them. */
export async function indexed(files: Readonly<Record<string, string>>) {
  const root = await scratch(files);
  const graph = await openCodeGraph({root, cacheDir: await scratch()});
  onTestFinished(async () => await graph.close());
  await graph.fresh(signal);
  const sources: EditSources = {graph, root, signal, read: async (path) => await readFile(join(root, path), 'utf8')};
  return {
    root,
    graph,
    sources,
    async symbol(qualifiedName: string): Promise<CodeSymbol> {
      const [found] = await graph.resolve({qualifiedName}, signal);
      if (found === undefined) throw new Error(`no symbol ${qualifiedName}`);
      return found;
    },
  };
}

/** Path → new text. */
export function afterwards({files}: EditPlan): Readonly<Record<string, string>> {
  return Object.fromEntries(files.map(({path, after}) => [path, after]));
}
