import {tmpdir} from 'node:os';
import {resolve} from 'node:path';
import {childEnvironment, type Variables} from './variables/child-environment.ts';
import type {CapturedOutput, CommandResult, CommandSpec, OutputListener} from './process/command.ts';
import type {ExecEnvironment} from './environment.ts';
import {dedupeSpill} from './capture/dedupe-spill.ts';
import type {ResourceLimits} from './process/resource-watch.ts';
import type {runCommand} from './process/run-command.ts';
import type {Sandbox} from './sandbox/sandbox.ts';

interface ExecOptions {
  /** Absolute; commands start here, and a relative `cwd` of a command is taken from here. */
  readonly cwd: string;
  /** Folder for large outputs; created with mode 0700 for the first one. */
  readonly spoolDir: string;
  /** The variables of the owner, scrubbed before a command sees them. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Variables added to the environment of commands. */
  readonly added?: Variables | undefined;
  /** The same, asked for before each command with its folder. */
  readonly addedFor?: ((cwd: string) => Promise<Variables>) | undefined;
  /** Sandbox for every command; its opener must close it. */
  readonly sandbox?: Sandbox | undefined;
  /** Resource limits of each command. */
  readonly limits?: ResourceLimits | undefined;
}

/** Creates an environment that runs commands on this machine. It holds no resources between commands, so there is nothing to close. */
export function createExecEnvironment(options: ExecOptions): ExecEnvironment {
  const {cwd, spoolDir, env = process.env, added, addedFor, sandbox, limits = {}} = options;
  const variables = {...childEnvironment(env), ...added};
  const variablesIn = async (folder: string): Promise<Variables> => ({...variables, ...(await addedFor?.(folder))});
  const temporary = sandbox?.scratchDir ?? variables['TMPDIR'] ?? tmpdir();
  const watchedIn = (folder: string): readonly string[] => [folder, temporary];
  return {
    cwd,
    path: variables['PATH'],
    scratchDir: sandbox?.scratchDir,
    async run(spec, signal, onOutput = () => undefined) {
      const folder = resolve(cwd, spec.cwd ?? '.');
      const seen = {...(await variablesIn(folder)), ...spec.env};
      const run = {spec, cwd: folder, env: seen, spoolDir, signal, onOutput, limits, watchedFolders: watchedIn(folder)};
      const result = sandbox === undefined ? await runHere(run) : await runInside(run, sandbox);
      const line = 'shell' in spec ? spec.shell : undefined;
      return {...result, stdout: dedupeSpill(result.stdout, line), stderr: dedupeSpill(result.stderr, line)};
    },
    async openTerminal(request) {
      const folder = resolve(cwd, request.cwd ?? '.');
      const [{openCommandTerminal: openTerminal}, seen] = await Promise.all([import('./terminal/terminal.ts'), variablesIn(folder)]);
      return await openTerminal({...request, cwd: folder, env: seen, sandbox, limits, watchedFolders: watchedIn(folder)});
    },
  };
}

type Run = Parameters<typeof runCommand>[0];

/** Loaded by the first command. */
async function runHere(run: Run): Promise<CommandResult> {
  const {runCommand} = await import('./process/run-command.ts');
  return await runCommand(run);
}

/** A command that fails because of the sandbox gets a note at the end of its stderr. Inside the sandbox nothing outlives its owner. */
async function runInside({spec, signal, ...run}: Run, sandbox: Sandbox): Promise<CommandResult> {
  let released: Promise<readonly string[]> | undefined;
  const owned = ownedBy(spec, signal);
  const result = await runHere({
    ...run,
    ...owned,
    sandbox,
    onReleased(names) {
      released = names;
    },
  });
  const notes = ((await released) ?? []).map((note) => `[sandbox: ${note}]`);
  if (result.exitCode !== 0 && !result.cancelled && !result.timedOut && result.overrun === undefined) {
    const {refusalHint} = await import('./sandbox/sandbox-hint.ts');
    const hint = refusalHint(sandbox.rules, [result.stderr, result.stdout].map(({head, tail}) => `${head}\n${tail}`).join('\n'));
    if (hint !== undefined) notes.push(hint);
  }
  return notes.length === 0 ? result : {...result, stderr: withLines(result.stderr, notes, run.onOutput)};
}

function ownedBy({detach, ...spec}: CommandSpec, signal: AbortSignal): {spec: CommandSpec; signal: AbortSignal} {
  if (detach === undefined) return {spec, signal};
  const end = new AbortController();
  void detach.then(() => end.abort());
  return {spec, signal: AbortSignal.any([signal, end.signal])};
}

function withLines(output: CapturedOutput, lines: readonly string[], onOutput: OutputListener): CapturedOutput {
  const last = output.tail === '' ? output.head : output.tail;
  const added = `${last === '' || last.endsWith('\n') ? '' : '\n'}${lines.join('\n')}\n`;
  onOutput('stderr', added);
  const sizes = {totalBytes: output.totalBytes + Buffer.byteLength(added), totalLines: output.totalLines + lines.length};
  return output.tail === '' ? {...output, ...sizes, head: output.head + added} : {...output, ...sizes, tail: output.tail + added};
}
