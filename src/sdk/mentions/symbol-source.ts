import type {CodeGraph} from '../../code/code-graph.ts';
import type {CodeSymbol} from '../../code/symbol.ts';
import type {CodeAccess} from '../../tools/ports/code-access.ts';
import {orAbort} from '../../base/waiting/or-abort.ts';

export interface SymbolQuestion {
  readonly text: string;
  readonly limit: number;
  /** True if an index may be built where none exists. */
  readonly mayBuild: boolean;
}

/** Finds symbols of the workspace for a person who types. */
export interface SymbolSource {
  /**
   * Returns the matching symbols, best first; none if no index can be built. Parsing happens in the process of the
   * index: without an index yet, this waits for it; otherwise it answers from the current index, which is updated
   * in the background. Throws CANCELLED; indexing that has begun continues.
   */
  find(question: SymbolQuestion, signal: AbortSignal): Promise<readonly CodeSymbol[]>;
}

/** Time between two checks for changed files, at least. Milliseconds. */
const FRESH_MS = 10_000;

export function createSymbolSource(code: CodeAccess | undefined, now: () => number = () => performance.now()): SymbolSource {
  let update: {readonly begun: number; readonly done: Promise<unknown>} | undefined;
  const updated = (graph: CodeGraph): Promise<unknown> => {
    if (update !== undefined && now() - update.begun < FRESH_MS) return update.done;
    // Does not take the signal of the query: the next query needs the update that this one began. Closing the code of the thread ends it.
    update = {begun: now(), done: graph.fresh(new AbortController().signal, undefined, 'symbols')};
    update.done.catch(() => undefined);
    return update.done;
  };
  return {
    async find({text, limit, mayBuild}, signal) {
      if (code === undefined || text === '') return [];
      const graph = await orAbort(code.open(signal), signal);
      const {builtAt} = await graph.status(signal);
      if (builtAt === undefined && !mayBuild && update === undefined) return [];
      const done = updated(graph);
      if (builtAt === undefined) await orAbort(done, signal);
      const {symbols} = await graph.search({text, limit}, signal);
      return symbols.map(({symbol}) => symbol);
    },
  };
}
