import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import {shellWord} from '../../../base/shell-word.ts';
import {runProgram, type RunProgramArgs, type RunProgramResult} from '../../operations/exec/run-program.ts';
import type {RunShellResult} from '../../operations/exec/run-shell.ts';
import {defineTool, type Tool, type ToolReply} from '../../toolset.ts';
import {described, wholeNumber} from './blade-parameters.ts';
import {endLine} from '../../output/bound-output.ts';
import {exitText, failed} from '../exit-text.ts';
import {aliasesOf} from '../../compat/parameter-aliases.ts';

/** The source sets no limit of time, but no command may hang for ever. */
const TIMEOUT_MS = 600_000;
/** "Startup wait when non-blocking": of the client. */
const WAIT_MS = 1000;
/** 50,000 bytes in all, of the client. */
const CAPTURE = {headBytes: 15_000, tailBytes: 10_000};

const input = z.object({
  command: z.optional(described('shell command line')),
  program: z.optional(described('executable, instead of command')),
  args: z.optional(z.array(z.string()).check(z.describe('arguments of program'))),
  shell: z.optional(z.boolean().check(z.describe('run program through a shell, default false'))),
  cwd: z.optional(described('working directory')),
  blocking: z.optional(z.boolean().check(z.describe('wait for the end, default true'))),
  wait_ms_before_async: wholeNumber('how long to wait when not blocking, default 1000', 0),
});

type Input = z.infer<typeof input>;

const runCommand = defineTool({
  name: 'run_command',
  description: 'Run a command in the workspace: command (a shell line), or program with args.',
  input,
  aliases: aliasesOf({command: ['command_line', 'cmd'], args: ['arguments'], cwd: ['working_directory', 'dir']}),
  operation: runProgram,
  toArgs,
  render: (result, asked) => (result.state === 'running' ? runningReply(result) : endedReply(result.ended, commandLine(asked))),
});

function toArgs(asked: Input): RunProgramArgs {
  const {program, args = [], shell = false, cwd, blocking = true, wait_ms_before_async: waitMs = WAIT_MS} = asked;
  const line = commandLine(asked);
  return {
    line,
    program: program === undefined || shell ? undefined : {name: program, args},
    cwd,
    timeoutMs: TIMEOUT_MS,
    waitMs: blocking ? undefined : waitMs,
    ...CAPTURE,
  };
}

/** "Rule: provide either `command` or `program`." In a shell the words of a program are unchanged; without one they are quoted for readers. */
function commandLine({command, program, args = [], shell = false}: Input): string {
  if ((command === undefined) === (program === undefined)) {
    const message = command === undefined ? 'missing required arg: command/CommandLine or program' : 'command and program are both set.';
    throw new FettleError({code: 'BAD_ARGS', message, hint: 'Give command (a shell line), or program with args.'});
  }
  // Arguments belong to a program; for a command they are appended as further words.
  if (command !== undefined) return [command, ...args.map(shellWord)].join(' ');
  const words = [program ?? '', ...args];
  return (shell ? words : words.map(shellWord)).join(' ');
}

type Reply = Partial<ToolReply> & {readonly text: string; readonly summary: string};

function endedReply(result: RunShellResult, line: string): Reply {
  const code = exitText(result);
  const heading = failed(result) ? `tool_error: Command failed with exit code ${code}\n` : '';
  const {stdout, stderr} = result;
  return {
    text: `${heading}exit_code: ${code}\nstdout:\n${endLine(shownStream(stdout))}stderr:\n${shownStream(stderr)}`.trimEnd(),
    summary: `exit code ${code}`,
    structured: result,
    isError: failed(result),
    command: {line, exitCode: result.exitCode},
    spoolPath: stdout.spillPath ?? stderr.spillPath,
  };
}

function shownStream({head, tail, totalBytes, truncated, spillPath, spillLoss}: RunShellResult['stdout']): string {
  if (!truncated) return head;
  const omitted = totalBytes - Buffer.byteLength(head) - Buffer.byteLength(tail);
  const whole = [spillPath ?? [], spillLoss ?? []].flat().join(', ');
  return `${endLine(head)}[… ${omitted} of ${totalBytes} bytes left out; whole output: ${whole} …]\n${tail}`;
}

/**
 * The original prints `detached pid=PID` and forgets the command; here the command has an id, can be watched
 * with a tool that is not advertised, and ends with the thread.
 */
function runningReply({session, pid, waitedMs, stdout, stderr}: Extract<RunProgramResult, {state: 'running'}>): Reply {
  const heading = `[run_command] still running after ${waitedMs} ms: it goes on as session ${session}, pid=${pid}, until the end of the conversation.`;
  const advice = `To look at it again, or to end it, call command_session with session ${session}.`;
  return {
    text: `${heading} ${advice}\nstdout so far:\n${endLine(stdout)}stderr so far:\n${stderr}`.trimEnd(),
    summary: `session ${session} is running`,
  };
}

/** "Command Execution" of "zblade tool calls". */
export const COMMAND_TOOLS: readonly Tool[] = [runCommand];
