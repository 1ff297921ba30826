import {realpath} from 'node:fs/promises';
import {join} from 'node:path';
import type {CodeGraph, IndexProgress, IndexStatus} from '../code-graph.ts';
import {languageOfText} from '../languages/script-language.ts';
import {indexedFiles, statusOf, type StoredStatus} from '../store/index-status.ts';
import {databasePath} from '../store/open-database.ts';
import {outlineOf} from '../store/outline.ts';
import {openStoredIndex, type Queries, type StoredIndex} from '../store/stored-index.ts';
import {createIndexChild} from './index-child.ts';
import {placeQuestions} from './place-questions.ts';

export interface CodeGraphPlace {
  /** The folder of the workspace. */
  readonly root: string;
  /** Where indexes are kept; they can be made again. */
  readonly cacheDir: string;
  /** Forget what is stored. */
  readonly rebuild?: boolean | undefined;
}

/**
 * The code of a workspace. Nothing is started or read before it is asked; `close` ends the process that parses. Queries are answered from the
 * index as it stands; ask for `fresh` before, where the files may have changed.
 */
export async function openCodeGraph({root, cacheDir, rebuild = false}: CodeGraphPlace): Promise<CodeGraph> {
  const home = await realpath(root);
  const path = databasePath(join(cacheDir, 'code'), home);
  const child = createIndexChild({root: home, database: path, rebuild});
  const index = openStoredIndex(path);
  const overlays = new Map<string, string>();
  let progress: IndexProgress | undefined;
  const ask = <T>(signal: AbortSignal, question: (queries: Queries) => T): T => {
    signal.throwIfAborted();
    return index.ask(question);
  };
  return {
    async status(signal) {
      signal.throwIfAborted();
      return statusWith(index, progress);
    },
    async fresh(signal, tell, upTo) {
      try {
        await child.ask({is: 'fresh', upTo}, signal, (done) => {
          progress = done;
          tell?.(done);
        });
      } finally {
        progress = undefined;
      }
      return statusWith(index, progress);
    },
    search: async (symbols, signal) => ask(signal, ({search}) => search(symbols)),
    resolve: async (selector, signal) => ask(signal, ({select}) => select(selector)),
    outline: async (file, signal) => ask(signal, (queries) => outlineOf(queries.file(file))),
    graph: async (id, edges, signal) => ask(signal, (queries) => queries.edges.graph(queries.place(id), edges)),
    references: async (id, edges, signal) => ask(signal, (queries) => queries.edges.references(queries.place(id), edges)),
    ...placeQuestions({home, child, ask, overlays}),
    files: async (signal) => ask(signal, ({database, reader}) => indexedFiles(database, reader)),
    async factsOf(file, text, signal) {
      const language = languageOfText(file, text);
      return language === undefined ? undefined : (await child.ask({is: 'facts', language, text}, signal))?.facts;
    },
    async namesIn(file, {text, name}, signal) {
      const language = languageOfText(file, text);
      return language === undefined ? [] : ((await child.ask({is: 'names', language, text, name}, signal))?.names ?? []);
    },
    overlay(file, text) {
      if (text === undefined) overlays.delete(file);
      else overlays.set(file, text);
      child.tell({is: 'overlay', path: file, text});
    },
    async close() {
      index.close();
      await child.close();
    },
  };
}

function statusWith(index: StoredIndex, progress: IndexProgress | undefined): IndexStatus {
  const stored = index.peek(({database}) => statusOf(database)) ?? NOTHING;
  const state = progress !== undefined ? 'building' : stored.builtAt === undefined ? 'absent' : 'ready';
  return {state, ...stored, ...(progress === undefined ? {} : {progress})};
}

const NOTHING: StoredStatus = {files: 0, symbols: 0, relations: 0, broken: 0, skipped: 0, languages: {}};
