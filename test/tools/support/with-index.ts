import {onTestFinished} from 'vitest';
import {openCode} from '../../../src/sdk/tools/code-access.ts';
import {scratch} from '../../support/scratch.ts';
import {openToolset, type OpenedToolset, type ToolsetOptions} from './open-toolset.ts';

export interface IndexedToolset extends OpenedToolset {
  readonly root: string;
  /** The JSON of an answer, or the text that it is instead. */
  json(name: string, args: object): Promise<unknown>;
}

/** A toolset over these files with a real index of their code, both gone when the test ends. */
export async function withIndex(
  name: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  options: ToolsetOptions = {},
): Promise<IndexedToolset> {
  const root = await scratch(files);
  const code = openCode({root, cacheDir: await scratch()});
  onTestFinished(async () => await code.close());
  const tools = await openToolset(name, root, {...options, context: {code, capabilities: new Set(['symbols']), ...options.context}});
  return {
    ...tools,
    root,
    async json(tool, args) {
      const text = await tools.text(tool, args);
      return text.startsWith('{') ? (JSON.parse(text) as unknown) : text;
    },
  };
}
