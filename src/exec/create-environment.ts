import {resolve} from 'node:path';
import {childEnvironment} from './child-environment.ts';
import type {ExecEnvironment} from './environment.ts';
import {runCommand} from './run-command.ts';

interface ExecOptions {
  /** Absolute; commands start here, and a relative `cwd` of a command is taken from here. */
  readonly cwd: string;
  /** Where large outputs are kept; made with mode 0700 when the first one comes. */
  readonly spoolDir: string;
  /** The variables of the owner, scrubbed before a command sees them. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A place where commands run on this machine. It holds nothing between two commands, so there is nothing to close. */
export function createExecEnvironment({cwd, spoolDir, env = process.env}: ExecOptions): ExecEnvironment {
  const variables = childEnvironment(env);
  return {
    cwd,
    run: (spec, signal, onOutput) =>
      runCommand({spec, cwd: resolve(cwd, spec.cwd ?? '.'), env: variables, spoolDir, signal, onOutput: onOutput ?? (() => undefined)}),
    async openTerminal(request) {
      const {openTerminal} = await import('./terminal.ts');
      return openTerminal({...request, cwd: resolve(cwd, request.cwd ?? '.'), env});
    },
  };
}
