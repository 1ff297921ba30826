import {visibleText} from '../../../../base/visible-text.ts';
import type {CodeSymbol} from '../../../../code/symbol.ts';
import type {OfferedResource} from '../../../../mcp/tools/offered-resource.ts';
import type {Mentions} from '../../../../sdk/mentions/open-mentions.ts';
import type {SearchEngine} from '../../../../search/engine.ts';
import type {PickerItem} from '../../host-adapter.ts';
import type {FileFinder} from './find-files.ts';
import {mergeMentions, type Candidate} from './merge-mentions.ts';
import {searchContents} from './search-contents.ts';
import {createSoon, type Soon} from './soon.ts';

export interface MentionSources {
  readonly files: FileFinder;
  /** Those of the thread of the moment. */
  readonly mentions: () => Pick<Mentions, 'symbols' | 'resources'>;
  readonly engine: Pick<SearchEngine, 'grep'>;
  readonly root: string;
  /** Milliseconds. */
  readonly now?: (() => number) | undefined;
  /** Absent: sources that may be slow have 0.2 s. */
  readonly soon?: (() => Soon) | undefined;
}

/** Finds the items that a message can mention, by the text typed after `@`. */
export type FindMentions = (query: string, signal: AbortSignal) => Promise<readonly PickerItem[]>;

/**
 * Files and folders, symbols and resources of MCP servers in one list, best first. `#name` asks for symbols, `server:` for the resources of that
 * server; files whose path fits these characters stay in the list, so that no name of a file is out of reach. `/text` searches the contents of files.
 */
export function createFindMentions(sources: MentionSources): FindMentions {
  const {files, mentions, engine, root} = sources;
  const listed = createResourceList(sources);
  const symbols = async (text: string, signal: AbortSignal): Promise<readonly Candidate[]> => {
    const mayBuild = (files.count() ?? Infinity) <= MOST_INDEXED;
    const found = await mentions().symbols.find({text, limit: MOST_SYMBOLS, mayBuild}, signal);
    return found.map(symbolCandidate);
  };
  const {soon = createSoon} = sources;
  const [symbolsInTime, resourcesInTime] = [soon(), soon()];
  return async (query, signal) => {
    if (query.startsWith('/')) return await searchContents(query.slice(1), {engine, root}, signal);
    const found = (await files.find(query, signal)).map(fileCandidate);
    if (query === '') return found.map(({item}) => item);
    if (query.startsWith('#')) {
      const named = await symbols(query.slice(1), signal).catch(() => []);
      return [...named, ...found].map(({item}) => item);
    }
    const [, server] = /^([\w-]+):/.exec(query) ?? [];
    const narrowed = server === undefined ? [] : (await listed(signal).catch(() => [])).filter((one) => one.server === server);
    if (narrowed.length > 0) return mergeMentions([...found, ...narrowed.map(resourceCandidate)], query);
    const others = await Promise.all([
      query.length < 2 || query.includes('/') ? [] : symbolsInTime(symbols(query, signal)),
      resourcesInTime(listed(signal).then((all) => all.map(resourceCandidate))),
    ]);
    return mergeMentions([...found, ...others.flat()], query);
  };
}

const MOST_SYMBOLS = 30;
const MOST_NAME = 120;
/** In a larger folder, typing a name does not start an index. */
const MOST_INDEXED = 50_000;
/** Servers are asked again for their resources when they were asked so long ago. Milliseconds. */
const FRESH_MS = 60_000;

/** Asks the servers of a thread once a minute at most; a request continues when the query is cancelled. */
function createResourceList({mentions, now = () => performance.now()}: MentionSources) {
  let list: {readonly of: unknown; readonly at: number; readonly found: Promise<readonly OfferedResource[]>} | undefined;
  return async (signal: AbortSignal): Promise<readonly OfferedResource[]> => {
    const of = mentions();
    if (list === undefined || list.of !== of || now() - list.at > FRESH_MS) {
      list = {of, at: now(), found: of.resources(new AbortController().signal)};
      list.found.catch(() => (list = undefined));
    }
    const found = await list.found;
    signal.throwIfAborted();
    return found;
  };
}

function fileCandidate(item: PickerItem): Candidate {
  return {item, kind: 'file', names: [item.label]};
}

function symbolCandidate({name, qualifiedName, kind, path, nameRange}: CodeSymbol): Candidate {
  const place = `${path}:${nameRange.start.line + 1}`;
  // The name of a member may be any text, and it becomes a part of the message.
  const shown = visibleText(qualifiedName).replaceAll(/\s+/g, ' ').slice(0, MOST_NAME);
  const item = {value: `${place} (${shown})`, label: shown, detail: `${kind.replaceAll('_', ' ')} · ${place}`};
  return {item, kind: 'symbol', names: [name, qualifiedName]};
}

function resourceCandidate({server, uri, name, mimeType}: OfferedResource): Candidate {
  const value = `${server}:${uri}`;
  const detail = [name, mimeType].filter((part) => part !== '').join(' · ');
  return {item: {value, label: value, detail}, kind: 'resource', names: [value, name]};
}
