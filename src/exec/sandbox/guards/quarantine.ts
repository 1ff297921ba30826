import {mkdirSync, renameSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {systemErrorCode} from '../../../base/errors.ts';
import {newId} from '../../../base/ids.ts';
import {openDirectory} from '../../directory-handle.ts';
import type {NewPath} from './classify-new-paths.ts';

interface Place {
  readonly root: string;
  /** Folder that receives the files; commands cannot see it. */
  readonly stateDir: string;
}

const MOST_LINES = 10;

/**
 * Moves entries out of a workspace. Returns a line for each, with the way to restore it. Safe while commands
 * run: folders are held open, and their entries are only renamed. If the quarantine is on another file system,
 * an entry stays beside its place, under a name that nothing loads.
 */
export async function quarantine(appeared: readonly NewPath[], place: Place): Promise<string[]> {
  const going = appeared.filter(({act}) => act === 'aside');
  const folder = join(place.stateDir, 'set-aside', newId('aside'));
  const moved: string[] = [];
  // Inner ones first: the folders around them may be moved, too.
  for (const one of going.toSorted((a, b) => b.path.length - a.path.length)) moved.push(await move(one, {...place, folder}));
  const warnings = appeared.flatMap(({path, act, why}) => (act === 'tell' ? [`${shown(path)} ${why}: look at it.`] : []));
  return [...bounded(moved, `more were set aside, in ${folder}.`), ...bounded(warnings, 'more are new or changed.')];
}

function bounded(lines: readonly string[], rest: string): string[] {
  return lines.length <= MOST_LINES ? [...lines] : [...lines.slice(0, MOST_LINES), `${lines.length - MOST_LINES} ${rest}`];
}

async function move({path, why}: NewPath, {root, folder}: Place & {readonly folder: string}): Promise<string> {
  const from = join(root, path);
  try {
    const to = await moveIn(from, join(folder, path));
    return `${shown(path)} was set aside: ${why}. A person brings it back with: mv -T ${quoted(to)} ${quoted(from)}`;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return `${shown(path)} was there and is gone: ${why}.`;
    return `${shown(path)} could not be set aside: ${why}. Look at it before you work there.`;
  }
}

async function moveIn(from: string, to: string): Promise<string> {
  await using parent = await openDirectory(dirname(from));
  await parent.confirm();
  mkdirSync(dirname(to), {recursive: true, mode: 0o700});
  try {
    renameSync(parent.at(basename(from)), to);
    return to;
  } catch (error) {
    if (systemErrorCode(error) !== 'EXDEV') throw error;
    const beside = `${basename(from)}.${newId('aside')}`;
    renameSync(parent.at(basename(from)), parent.at(beside));
    return join(dirname(from), beside);
  }
}

/** Returns the name on one line, whatever characters it has. */
function shown(path: string): string {
  return /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(path) ? path : JSON.stringify(path);
}

function quoted(path: string): string {
  const text = /^[\p{L}\p{N}\p{P}\p{S} ]+$/u.test(path) ? path : path.replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?');
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
