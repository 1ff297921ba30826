import {access} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import {isFettleError, toFettleError} from '../../base/errors.ts';
import type {CommandResult} from '../../exec/process/command.ts';
import {overrunText} from '../../exec/process/resource-overrun.ts';
import {headOf} from '../output/truncate-bytes.ts';
import type {ToolContext} from '../context.ts';

/** A check that runs once after the file changes of one model reply. It never makes a change a failure. */
export interface Verifier {
  readonly name: string;
  /** Matches the extensions of changed files that it checks. */
  readonly extension: string;
  /** The verifier runs in the nearest folder that contains this file, up to the workspace. */
  readonly projectFile: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
  /** Patterns of the error and warning lines in its output. */
  readonly error: RegExp;
  readonly warning: RegExp;
}

export interface VerifierRun {
  readonly ctx: ToolContext;
  /** Throws DENIED if the policy does not let the command run: a build may run code of the repository. */
  permit(command: string, cwd: string): Promise<void>;
}

/** Runs each verifier once for each project that the changed files belong to. Returns a text for the model for each run. */
export async function verifyChanges(
  verifiers: readonly Verifier[],
  paths: readonly string[],
  run: VerifierRun,
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const verifier of verifiers) {
    const changed = paths.filter((path) => path.endsWith(verifier.extension));
    const folders = new Set(await Promise.all(changed.map((path) => projectFolder(path, verifier.projectFile, run.ctx.workspace.root))));
    for (const folder of folders) texts.push(`verifier(${verifier.name}): ${await verify(verifier, folder, run)}`);
  }
  return texts;
}

async function projectFolder(path: string, projectFile: string, root: string): Promise<string | undefined> {
  for (let folder = dirname(path); folder === root || folder.startsWith(join(root, '/')); folder = dirname(folder)) {
    const found = await access(join(folder, projectFile)).then(
      () => true,
      () => false,
    );
    if (found) return folder;
  }
  return undefined;
}

async function verify(verifier: Verifier, folder: string | undefined, {ctx, permit}: VerifierRun): Promise<string> {
  if (folder === undefined) return `skipped: no ${verifier.projectFile} above the changed file`;
  const {program, args, timeoutMs} = verifier;
  const place = folder === ctx.workspace.root ? '' : ` (in ${relative(ctx.workspace.root, folder)})`;
  try {
    await permit([program, ...args].join(' '), folder);
    const capture = {headBytes: COUNTED_BYTES, tailBytes: 0};
    const result = await ctx.exec.run({program, args, cwd: folder, timeoutMs, capture}, ctx.signal);
    return `${verdict(verifier, result)}${place}${diagnostics(result)}`;
  } catch (error) {
    return `skipped: ${isFettleError(error) && error.code === 'UNAVAILABLE' ? `${program} is not installed` : reason(error)}`;
  }
}

function verdict({error, warning, timeoutMs}: Verifier, result: CommandResult): string {
  if (result.cancelled) return 'cancelled: nothing is verified';
  if (result.timedOut) return `did not finish within ${timeoutMs / 1000} s: nothing is verified`;
  if (result.overrun !== undefined) return `was ended: it ${overrunText(result.overrun)}`;
  const lines = outputOf(result).split('\n');
  const errors = lines.filter((line) => error.test(line)).length;
  const warnings = lines.filter((line) => warning.test(line)).length;
  if (result.exitCode !== 0 && errors === 0) return `failed with exit code ${result.exitCode ?? 'none'}`;
  if (result.exitCode === 0 && warnings === 0) return 'ok';
  return `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
}

/** Errors are counted in this much of the output. */
const COUNTED_BYTES = 256_000;
const MAX_LINES = 40;
const MAX_BYTES = 4_000;

function diagnostics(result: CommandResult): string {
  const output = outputOf(result);
  if (output === '') return '';
  const shown = headOf(output.split('\n').slice(0, MAX_LINES).join('\n'), MAX_BYTES).trimEnd();
  const more = shown.length < output.length || result.stderr.truncated || result.stdout.truncated;
  return `\n${shown}${more ? '\n[… more diagnostics left out]' : ''}`;
}

function outputOf({stdout, stderr}: CommandResult): string {
  return `${stderr.head}${stdout.head}`.trim();
}

function reason(error: unknown): string {
  const {message, hint} = toFettleError(error);
  return hint === undefined ? message : `${message} ${hint}`;
}
