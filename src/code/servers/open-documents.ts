import {pathToFileURL} from 'node:url';
import type {LanguageServer} from './language-server.ts';

/** What a server is told of the texts that it is asked about (LSP › Text Document Synchronization): whole texts, the newest few kept open. */
export interface OpenDocuments {
  /** The document's address, once the server has this text of it. `again`: also where it has it already, so that it judges it anew. */
  sync(file: string, text: string, again?: 'again'): Promise<{readonly uri: string; readonly version: number}>;
  /** Files that changed on disk: open ones are forgotten, of others the server is told. */
  changed(files: readonly string[]): Promise<void>;
}

const MOST_OPEN = 30;

export function openDocuments(server: LanguageServer, languageIdOf: (file: string) => string): OpenDocuments {
  const open = new Map<string, {version: number; text: string}>();
  // Never used twice: what a server says of an older text is known by it.
  let newest = 0;
  const close = async (file: string): Promise<void> => {
    open.delete(file);
    await server.notify('textDocument/didClose', {textDocument: {uri: pathToFileURL(file).href}});
  };
  return {
    async sync(file, text, again) {
      const uri = pathToFileURL(file).href;
      const known = open.get(file);
      if (known?.text === text && again === undefined) return {uri, version: known.version};
      newest += 1;
      const version = newest;
      open.delete(file); // the newest stands last
      open.set(file, {version, text});
      if (known === undefined) {
        await server.notify('textDocument/didOpen', {textDocument: {uri, languageId: languageIdOf(file), version, text}});
      } else {
        await server.notify('textDocument/didChange', {textDocument: {uri, version}, contentChanges: [{text}]});
      }
      const [oldest] = open.keys();
      if (open.size > MOST_OPEN && oldest !== undefined) await close(oldest);
      return {uri, version};
    },
    async changed(files) {
      for (const file of files) if (open.has(file)) await close(file);
      const changes = files.map((file) => ({uri: pathToFileURL(file).href, type: CHANGED}));
      if (changes.length > 0) await server.notify('workspace/didChangeWatchedFiles', {changes});
    },
  };
}

const CHANGED = 2;
