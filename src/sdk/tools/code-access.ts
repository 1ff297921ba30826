import type {CodeGraph} from '../../code/code-graph.ts';
import type {LanguageServers} from '../../code/servers/language-servers.ts';
import type {CodeAccess} from '../../tools/ports/code-access.ts';

export interface OpenedCode extends CodeAccess {
  /** Ends the parser process, and releases the index. */
  close(): Promise<void>;
}

export interface CodePlace {
  /** The real path of the workspace. */
  readonly root: string;
  /** Folder for indexes, which can be rebuilt. */
  readonly cacheDir: string;
  /** Deletes the stored index. */
  readonly rebuild?: boolean | undefined;
  /** Language servers, asked first for definitions and references. */
  readonly servers?: Pick<LanguageServers, 'definitions' | 'references'> | undefined;
}

/** Opens access to the index of a workspace; the index itself is opened when a tool first asks for it. The caller must close it. */
export function openCode(place: CodePlace): OpenedCode {
  let opened: Promise<CodeGraph> | undefined;
  return {
    async open(signal) {
      signal.throwIfAborted();
      opened ??= load(place);
      return await opened;
    },
    async close() {
      const graph = await opened?.catch(() => undefined); // the tool that asked got the reason
      await graph?.close();
    },
  };
}

async function load(place: CodePlace): Promise<CodeGraph> {
  const {openCodeGraph} = await import('../../code/index/open-code-graph.ts');
  const graph = await openCodeGraph(place);
  const {servers, root} = place;
  if (servers === undefined) return graph;
  const {servedGraph} = await import('../../code/servers/served-graph.ts');
  return servedGraph(graph, {servers, root});
}
