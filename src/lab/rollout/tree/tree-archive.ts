import {mkdir} from 'node:fs/promises';
import {join} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import {createExecEnvironment} from '../../../exec/create-environment.ts';
import type {CommandResult} from '../../../exec/process/command.ts';
import {PLATFORM} from '../../../exec/process/platform.ts';
import {removeTree} from './remove-tree.ts';
import type {ScratchPlace} from '../place/scratch-place.ts';

/** The file with the packed tree. */
export function treeArchive({record}: ScratchPlace): string {
  return join(record, 'tree.tar');
}

/** Packs what the agent has left, with the program `tar`. False if that is too large or cannot be read, which the agent may have arranged. */
export async function packTree(place: ScratchPlace, signal: AbortSignal): Promise<boolean> {
  const result = await tar(place, ['--create', ...SPARSE, '-C', place.folder, ...FOLDERS], signal);
  return result.exitCode === 0 && result.overrun === undefined;
}

/**
 * Replaces the folders of the place by the packed ones. False if the agent has nested them deeper than a path can say, which packing does not notice.
 * Throws IO if they cannot be unpacked.
 */
export async function restoreTree(place: ScratchPlace, signal: AbortSignal): Promise<boolean> {
  await emptyFolders(place);
  const result = await tar(place, ['--extract', '--no-same-owner', '-C', place.folder], signal);
  if (result.exitCode === 0) return true;
  if (!/File name too long/.test(`${result.stderr.head}${result.stderr.tail}`))
    throw new FettleError({code: 'IO', message: `The tree of the agent cannot be unpacked: ${result.stderr.head.trim().slice(0, 300)}`});
  await emptyFolders(place);
  return false;
}

async function emptyFolders(place: ScratchPlace): Promise<void> {
  for (const name of FOLDERS) {
    await removeTree(join(place.folder, name));
    await mkdir(join(place.folder, name), {mode: 0o700});
  }
  await mkdir(place.work, {recursive: true, mode: 0o700});
}

/** Without HOME and temporary files: the verification has its own. */
const FOLDERS = ['tree', 'logs'];
const SPARSE = PLATFORM === 'linux' ? ['--sparse'] : [];
const TIMEOUT_MS = 300_000;
const MAX_BYTES = 2 * 1024 * 1024 * 1024;

async function tar(place: ScratchPlace, args: readonly string[], signal: AbortSignal): Promise<CommandResult> {
  const environment = createExecEnvironment({cwd: place.record, spoolDir: join(place.record, 'spool'), limits: {diskBytes: MAX_BYTES}});
  const capture = {headBytes: 4096, tailBytes: 64 * 1024, spillAbove: Number.POSITIVE_INFINITY};
  const all = ['--file', treeArchive(place), ...args];
  const result = await environment.run({program: 'tar', args: all, env: {LC_ALL: 'C'}, timeoutMs: TIMEOUT_MS, capture}, signal);
  if (result.cancelled) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
  return result;
}
