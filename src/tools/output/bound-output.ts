import {mkdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {newId} from '../../base/ids.ts';
import {headOf, tailOf} from './truncate-bytes.ts';
import {shortenJson} from './shorten-json.ts';
import type {OutputBound} from '../toolset.ts';

export interface BoundedOutput {
  readonly text: string;
  /** Path of the full text; undefined if `text` is complete, or if it could not be stored. */
  readonly spoolPath: string | undefined;
}

/**
 * Limits a text. A longer text keeps its beginning and end, and is stored in full in a new file that the text names; a text that is
 * already stored elsewhere (`spoolPath`) is not stored twice. If the disk fails, the full text is lost, but never the result.
 */
export async function boundOutput(text: string, bound: OutputBound, spool: Spool): Promise<BoundedOutput> {
  const isShort = Buffer.byteLength(text) <= bound.maxBytes && text.split('\n').length <= bound.maxLines;
  if (isShort) return {text, spoolPath: spool.spoolPath};
  const spoolPath = spool.spoolPath ?? (await keep(spool.clean?.(text) ?? text, spool.dir));
  const where = spoolPath === undefined ? 'they could not be saved' : `the whole text is in ${spoolPath}: read it by range, or grep it`;
  if (spool.isJson === true) return {text: shortenJson(text, bound.maxBytes, where), spoolPath};
  if (bound.shorten !== undefined) return {text: bound.shorten(text, bound, where), spoolPath};
  const {head, tail, omittedBytes} = headAndTail(text, bound);
  return {text: `${endLine(head)}[… ${omittedBytes} bytes left out; ${where} …]\n${tail}`, spoolPath};
}

export interface Spool {
  readonly dir: string;
  readonly spoolPath: string | undefined;
  /** Redacts the stored text. */
  readonly clean?: ((text: string) => string) | undefined;
  /** True: the text is JSON, and the shortened text must be JSON, too. */
  readonly isJson?: boolean | undefined;
}

const HEAD_SHARE = 0.6;

function headAndTail(text: string, {maxBytes, maxLines}: OutputBound): {head: string; tail: string; omittedBytes: number} {
  const bytes = Buffer.byteLength(text);
  const lines = text.split('\n');
  const headLines = Math.ceil(maxLines * HEAD_SHARE);
  const fits = lines.length <= maxLines;
  const head = headOf(fits ? text : lines.slice(0, headLines).join('\n'), Math.floor(maxBytes * HEAD_SHARE));
  const tail = tailOf(fits ? text : lines.slice(lines.length - (maxLines - headLines)).join('\n'), Math.floor(maxBytes * (1 - HEAD_SHARE)));
  return {head, tail, omittedBytes: bytes - Buffer.byteLength(head) - Buffer.byteLength(tail)};
}

async function keep(text: string, dir: string): Promise<string | undefined> {
  const path = join(dir, `${newId('out')}.txt`);
  try {
    await mkdir(dir, {recursive: true, mode: 0o700});
    await writeFile(path, text, {mode: 0o600, flag: 'wx'});
    return path;
  } catch {
    return undefined; // the text itself says that it could not be stored
  }
}

/** Returns the text with a line break at its end. */
export function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
