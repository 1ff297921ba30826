import {hash} from 'node:crypto';
import {lstat, readdir, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {systemErrorCode} from '../../base/errors.ts';
import {isJsonObject, parseJson, type Json} from '../../base/json.ts';
import {writePrivateFile} from '../private-file.ts';
import {trustFolder} from './trust-folder.ts';
import {trustItemText, type TrustItem} from './trust-item.ts';

/** The items of one project that a person trusted. */
export interface TrustRecord {
  /** The real path of the project. */
  readonly root: string;
  /** Device and inode of that folder: another folder of the same name is another project. */
  readonly folder: string;
  readonly items: readonly TrustedItem[];
}

interface TrustedItem {
  readonly path: string;
  readonly kind: string;
  readonly digest: string;
  /** The text that was trusted, without its secrets, for a difference later; absent if it was large or is not text. */
  readonly text?: string | undefined;
}

/** Device and inode, for comparison; undefined if the folder does not exist. */
export async function folderIdentity(root: string): Promise<string | undefined> {
  const found = await lstat(root, {bigint: true}).catch(() => undefined);
  return found?.isDirectory() === true ? `${found.dev}:${found.ino}` : undefined;
}

/** Reads the trusted content; undefined if there is none, or if the record cannot be parsed: the person is then asked again. */
export async function readTrust(stateDir: string, root: string): Promise<TrustRecord | undefined> {
  const record = asRecord(parseJson(await textOf(fileFor(stateDir, root))));
  return record?.root === root ? record : undefined;
}

/** All records, by their folder. */
export async function listTrust(stateDir: string): Promise<TrustRecord[]> {
  const names = await readdir(trustFolder(stateDir)).catch(() => []);
  const files = names.filter((name) => name.endsWith('.json')).map((name) => join(trustFolder(stateDir), name));
  const records = await Promise.all(files.map(async (file) => asRecord(parseJson(await textOf(file)))));
  return records.filter((record) => record !== undefined).sort((a, b) => (a.root < b.root ? -1 : 1));
}

/** The content that is stored as trusted: exactly these items. */
export interface TrustedContent {
  readonly root: string;
  readonly folder: string;
  readonly items: readonly TrustItem[];
  /** Trusted files that no longer exist: their records are removed. */
  readonly gone?: readonly {readonly path: string}[] | undefined;
}

/**
 * Stores exactly these items as trusted, replacing the old record. Only instructions of folders that were not read this time are kept.
 * Mode 0600 in a folder 0700, replaced as a whole.
 */
export async function writeTrust(stateDir: string, {root, folder, items, gone = []}: TrustedContent): Promise<void> {
  const earlier = (await readTrust(stateDir, root))?.items ?? [];
  const kept = earlier.filter(
    ({path, kind}) => (kind === 'instructions' || kind === 'import') && ![...items, ...gone].some((item) => item.path === path),
  );
  const record: TrustRecord = {root, folder, items: [...(await storedItems(items)), ...kept]};
  await writePrivateFile(fileFor(stateDir, root), `${JSON.stringify(record)}\n`);
}

/** True if there was something to forget. */
export async function forgetTrust(stateDir: string, root: string): Promise<boolean> {
  const had = (await textOf(fileFor(stateDir, root))) !== '';
  await rm(fileFor(stateDir, root), {force: true});
  return had;
}

/** Most characters stored of one item, and of all. */
const MOST_TEXT = 64 * 1024;
const MOST_TEXT_IN_ALL = 1024 * 1024;

async function storedItems(items: readonly TrustItem[]): Promise<TrustedItem[]> {
  const {createRedactor} = await import('../../base/redact.ts');
  const redactor = createRedactor({shapes: true});
  let left = MOST_TEXT_IN_ALL;
  return items.map((item) => {
    const {path, kind, digest} = item;
    const text = item.bytes.length <= Math.min(MOST_TEXT, left) ? redactor.text(trustItemText(item)) : undefined;
    left -= text?.length ?? 0;
    return {path, kind, digest, text};
  });
}

function fileFor(stateDir: string, root: string): string {
  return join(trustFolder(stateDir), `${hash('sha256', root)}.json`);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if (systemErrorCode(thrown) === undefined) throw thrown;
    return ''; // unreadable content is not trusted
  }
}

function asRecord(value: Json | undefined): TrustRecord | undefined {
  if (!isJsonObject(value)) return undefined;
  const {root, folder, items} = value;
  if (typeof root !== 'string' || typeof folder !== 'string' || !Array.isArray(items)) return undefined;
  const known = items.map(asItem);
  return known.includes(undefined) ? undefined : {root, folder, items: known.filter((item) => item !== undefined)};
}

function asItem(value: Json): TrustedItem | undefined {
  if (!isJsonObject(value)) return undefined;
  const {path, kind, digest, text} = value;
  if (typeof path !== 'string' || typeof kind !== 'string' || typeof digest !== 'string') return undefined;
  return {path, kind, digest, text: typeof text === 'string' ? text : undefined};
}
