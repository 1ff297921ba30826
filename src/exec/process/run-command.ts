import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {onAbort} from '../../base/waiting/on-abort.ts';
import {LATE, orLate} from '../../base/waiting/or-late.ts';
import {BoundedCapture} from '../capture/bounded-capture.ts';
import type {Variables} from '../variables/child-environment.ts';
import type {CommandResult, CommandSpec, OutputListener} from './command.ts';
import {watchTree} from './orphan-reaper.ts';
import {leaveOutputTo} from '../capture/detach-output.ts';
import type {Overrun} from './resource-overrun.ts';
import {endLeftovers, endTree, treeOf, type ProcessTree} from './process-tree.ts';
import {watchResources, type ResourceLimits} from './resource-watch.ts';
import type {Sandbox} from '../sandbox/sandbox.ts';
import {startChild, type OutputChild} from './start-child.ts';

interface CommandRun {
  readonly spec: CommandSpec;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Variables;
  readonly spoolDir: string;
  readonly signal: AbortSignal;
  readonly onOutput: OutputListener;
  readonly sandbox?: Sandbox | undefined;
  readonly limits: ResourceLimits;
  /** Their disks are watched. */
  readonly watchedFolders: readonly string[];
  readonly onReleased?: ((notes: Promise<readonly string[]>) => void) | undefined;
}

/**
 * Runs one command to its end, a limit or its cancellation; no process that it started survives it, unless the
 * command is detached. Throws only if it cannot be started: UNAVAILABLE, NOT_FOUND, BAD_ARGS.
 */
export async function runCommand(run: CommandRun): Promise<CommandResult> {
  const {spec, spoolDir, signal, onOutput} = run;
  const stdout = new BoundedCapture(spec.capture, spoolDir);
  const stderr = new BoundedCapture(spec.capture, spoolDir);
  const finish = (end: Omit<CommandResult, 'stdout' | 'stderr'>): CommandResult => ({
    ...end,
    stdout: stdout.finish(),
    stderr: stderr.finish(),
  });
  if (signal.aborted) return finish({exitCode: null, signal: null, timedOut: false, cancelled: true, durationMs: 0});

  const began = performance.now();
  const mark = randomUUID();
  const marker = `${MARKER}=${mark}`;
  const unwatch = watchTree({marker});
  try {
    const {cwd, sandbox, onReleased} = run;
    const child = await startChild(spec, {cwd, env: {...run.env, [MARKER]: mark}, sandbox, onReleased});
    const tree = treeOf(child.pid, marker, began);
    watchTree(tree);
    forward(
      child.stdout,
      (chunk) => stdout.write(chunk),
      (text) => onOutput('stdout', text),
    );
    forward(
      child.stderr,
      (chunk) => stderr.write(chunk),
      (text) => onOutput('stderr', text),
    );
    spec.onStart?.(child.pid);
    const stopped = await endOrStop(child, tree, run);
    const {exitCode, signalCode} = child.process;
    const durationMs = performance.now() - began;
    const timedOut = stopped === 'timeout';
    const cancelled = stopped === 'cancel';
    return finish({exitCode, signal: signalCode, timedOut, cancelled, ...(isOverrun(stopped) ? {overrun: stopped} : {}), durationMs});
  } finally {
    unwatch();
  }
}

const MARKER = 'FETTLE_CALL_ID';
/** For processes that cannot be found and killed but still hold the pipes. */
const DRAIN_MS = 1000;

type End = 'exit' | 'timeout' | 'cancel' | 'kept' | Overrun;

function isOverrun(end: End): end is Overrun {
  return typeof end === 'object';
}

async function endOrStop(child: OutputChild, tree: ProcessTree, {spec, signal, limits, watchedFolders}: CommandRun): Promise<End> {
  const exited = once(child.process, 'exit').then(() => 'exit' as const);
  const closed = Promise.all([once(child.stdout, 'close'), once(child.stderr, 'close')]).catch(() => undefined);
  const stopped = Promise.withResolvers<'cancel' | Overrun>();
  const leave = onAbort(signal, () => stopped.resolve('cancel'));
  const unwatch = watchResources({tree, limits, folders: watchedFolders, onOverrun: stopped.resolve});
  const kept = spec.detach === undefined ? [] : [detach(child, spec.detach)];
  const settled = await orLate(Promise.race([exited, stopped.promise, ...kept]), spec.timeoutMs).finally(() => {
    unwatch();
    leave();
  });
  const first = settled === LATE ? 'timeout' : settled;
  if (first === 'kept') return first;
  // No grace time for a command that uses too much memory: it would use more.
  if (isOverrun(first)) await endTree(tree, 0);
  else await (first === 'exit' ? endLeftovers(tree) : endTree(tree));
  await orLate(Promise.all([closed, exited]), DRAIN_MS);
  child.stdout.destroy();
  child.stderr.destroy();
  return first;
}

/** Nothing waits for it any longer or reads its output. */
async function detach(child: OutputChild, asked: Promise<string>): Promise<'kept'> {
  const file = await asked;
  leaveOutputTo(file, [child.stdout, child.stderr]);
  child.process.unref();
  return 'kept';
}

/** Each chunk goes to the capture as bytes and to the listener as text; characters cut by a chunk border are put together. */
function forward(stream: OutputChild['stdout'], keep: (chunk: Buffer) => void, tell: (text: string) => void): void {
  const decoder = new TextDecoder('utf-8', {ignoreBOM: true});
  stream.on('data', (chunk: Buffer) => {
    keep(chunk);
    const text = decoder.decode(chunk, {stream: true});
    if (text !== '') tell(text);
  });
  stream.on('end', () => {
    const rest = decoder.decode();
    if (rest !== '') tell(rest);
  });
  // A broken pipe ends the stream; the exit of the command says the rest.
  stream.on('error', () => undefined);
}
