import {relative, resolve, sep} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import {visibleText} from '../../../base/visible-text.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {listCheckpoints, restoreTo, showCheckpoint, type CheckpointInfo} from '../../../sdk/undo/checkpoints.ts';
import {loadSettings} from '../../../sdk/settings/load-settings.ts';
import type {SessionSettings} from '../../../sdk/settings/session-settings.ts';
import {describeRestore} from '../../../sdk/undo/describe-restore.ts';
import type {Io} from '../io.ts';

export interface RestoreFlags {
  readonly files?: true;
  readonly conversation?: true;
  readonly both?: true;
  readonly force?: true;
  readonly dryRun?: true;
}

/** `fettle checkpoints list`: newest first. */
export async function listCheckpointsCommand(io: Io, options: {readonly session?: string; readonly json?: true}): Promise<number> {
  const all = (await listCheckpoints(await settingsOf(io), options.session)).toReversed();
  if (options.json === true) {
    io.data(`${JSON.stringify(all, null, 2)}\n`);
    return EXIT.done;
  }
  if (all.length === 0) io.note('Nothing was changed in this folder that could be undone.');
  for (const one of all) io.data(`${[lineOf(one), ...gapsOf(one)].join('\n')}\n`);
  return EXIT.done;
}

/** `fettle checkpoints diff ID [FILE…]`. */
export async function diffOne(io: Io, id: string, files: readonly string[]): Promise<number> {
  const settings = await settingsOf(io);
  for (const {path, kind, text} of await showCheckpoint(
    settings,
    id,
    files.map((file) => fromRoot(file, io, settings)),
  )) {
    io.shown(text.startsWith('--- ') ? text : `${kind} ${path}: ${text}\n`);
  }
  return EXIT.done;
}

/** `fettle checkpoints restore ID [FILE…]`: exit code 1 if something could not be restored. */
export async function restoreOne(
  io: Io,
  {id, files}: {readonly id: string; readonly files: readonly string[]},
  options: RestoreFlags,
): Promise<number> {
  const scope = scopeOf(options, files);
  const settings = await settingsOf(io);
  const report = await restoreTo(settings, {
    id,
    files: files.map((file) => fromRoot(file, io, settings)),
    scope,
    force: options.force ?? false,
    dryRun: options.dryRun ?? false,
  });
  for (const path of report.restored) io.data(`${visibleText(path)}\n`);
  for (const line of describeRestore(report, {dryRun: options.dryRun ?? false})) io.note(visibleText(line));
  return report.refused.length === 0 ? EXIT.done : EXIT.failed;
}

function lineOf({id, startedAt, state, changed, title}: CheckpointInfo): string {
  const files = `${changed.length} ${changed.length === 1 ? 'entry' : 'entries'}`;
  const task = visibleText(title).replaceAll('\n', ' ').slice(0, 70);
  return `${id}  ${startedAt.slice(0, 16).replace('T', ' ')}  ${state.padEnd(7)}  ${files.padEnd(11)}  ${task}`;
}

/** Names the changes that this checkpoint does not undo. */
function gapsOf({notes}: CheckpointInfo): readonly string[] {
  const shown = notes.slice(0, MOST_NOTES).map((note) => `  ${visibleText(note).replaceAll('\n', ' ')}`);
  return notes.length > MOST_NOTES ? [...shown, `  … and ${notes.length - MOST_NOTES} more: --json shows them`] : shown;
}

const MOST_NOTES = 8;

function scopeOf({files, conversation, both}: RestoreFlags, only: readonly string[]): 'files' | 'conversation' | 'both' {
  if ([files, conversation, both].filter((one) => one === true).length > 1) {
    throw new FettleError({code: 'USAGE', message: '--files, --conversation and --both exclude each other.', hint: 'Give one of them.'});
  }
  if (only.length > 0 && (conversation === true || both === true)) {
    throw new FettleError({
      code: 'USAGE',
      message: 'Single files can be restored without the conversation only.',
      hint: 'Omit --conversation and --both.',
    });
  }
  if (conversation === true) return 'conversation';
  return both === true ? 'both' : 'files';
}

/** A file is named relative to the current folder of the person. */
function fromRoot(file: string, io: Io, {cwd}: SessionSettings): string {
  const path = relative(cwd, resolve(io.cwd, file)).split(sep).join('/');
  if (path !== '..' && !path.startsWith('../')) return path;
  throw new FettleError({code: 'OUTSIDE_SCOPE', message: `${file} is outside of ${cwd}.`, hint: 'Name a file in this folder.'});
}

async function settingsOf(io: Io): Promise<SessionSettings> {
  return await loadSettings({cwd: io.cwd, env: io.env, home: io.home});
}
