import {factsOf} from '../extract/facts.ts';
import type {FileFacts} from '../file-facts.ts';
import {packFile, type FileStamp, type ParsedFile} from '../store/parsed-file.ts';
import {readSource} from './read-source.ts';

/** What became of one file that was to be indexed. */
export type Parsed =
  | {readonly is: 'parsed'; readonly file: ParsedFile}
  | {readonly is: 'same'; readonly stamp: FileStamp}
  | {readonly is: 'skipped'; readonly path: string; readonly why: string; readonly size: number; readonly mtime: number}
  | {readonly is: 'gone'; readonly path: string};

export interface ToParse {
  readonly path: string;
  readonly language: string;
  /** Of what is stored: where the content is the same nothing is to be done. */
  readonly hash?: string | undefined;
}

/** Parses files one after the other. */
export async function parseBatch(
  {root, files}: {readonly root: string; readonly files: readonly ToParse[]},
  signal: AbortSignal,
): Promise<Parsed[]> {
  const parsed: Parsed[] = [];
  for (const file of files) parsed.push(await parseSource(root, file, signal));
  return parsed;
}

export async function parseSource(root: string, {path, language, hash}: ToParse, signal: AbortSignal): Promise<Parsed> {
  const source = readSource(root, {path, language});
  if (source === undefined) return {is: 'gone', path};
  if ('skipped' in source) return {is: 'skipped', path, why: source.skipped, size: source.size, mtime: source.mtime};
  if (source.stamp.hash === hash) return {is: 'same', stamp: source.stamp};
  return {is: 'parsed', file: await parseText(source.stamp, source.text, signal)};
}

/** A text that the parser cannot take at all has no symbols and counts as broken: one file never ends a build. */
export async function parseText(stamp: FileStamp, text: string, signal: AbortSignal): Promise<ParsedFile> {
  const facts = await factsOf(stamp.language, text, signal).catch((): FileFacts => ({...NOTHING, language: stamp.language}));
  signal.throwIfAborted();
  return packFile(stamp, facts);
}

const NOTHING: FileFacts = {language: '', symbols: [], imports: [], exports: [], uses: [], broken: true};
