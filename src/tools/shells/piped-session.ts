import {FettleError} from '../../base/errors.ts';
import type {CommandResult, CommandSpec, OutputListener} from '../../exec/process/command.ts';
import type {ExecEnvironment} from '../../exec/environment.ts';
import {startJob} from '../../exec/job.ts';
import type {ToolOutput} from '../stream-event.ts';
import type {CommandSession, SessionView} from './command-session.ts';
import {createOutputTail} from '../live/output-tail.ts';
import {createUnreadOutput, type UnreadOutput} from './unread-output.ts';

/** A session on plain pipes, which can be watched but takes no input. */
export interface PipedSession extends CommandSession {
  ended(): CommandResult | undefined;
  watch(signal: AbortSignal): AsyncGenerator<ToolOutput, SessionView, undefined>;
}

export interface PipedRequest {
  /** The command line as people and rules see it. */
  readonly command: string;
  readonly spec: CommandSpec;
  /** True: the command outlives the thread. */
  readonly keep?: boolean | undefined;
}

/** Starts a command on plain pipes. Throws the errors of the environment. */
export async function startPiped(
  exec: Pick<ExecEnvironment, 'run'>,
  {command, spec, keep = false}: PipedRequest,
  nextId: () => string,
): Promise<PipedSession> {
  const unread = createUnreadOutput();
  const tail = createOutputTail();
  const onOutput: OutputListener = (stream, text) => {
    unread.push(stream, text);
    tail.push(text);
  };
  const job = await startJob(exec, {spec, mayStay: keep, onOutput});
  const id = nextId();
  const began = performance.now();
  let ended: CommandResult | undefined;
  const finish = (result: CommandResult): void => {
    ended = result;
    unread.wake();
    tail.wake();
  };
  job.done.then(finish, () => finish(lost(performance.now() - began)));
  const refuse = (): never => {
    throw new FettleError({
      code: 'UNAVAILABLE',
      message: `Session "${id}" has no terminal to type into.`,
      hint: 'Start the command with a terminal: pty.',
    });
  };
  return {
    id,
    command,
    pid: job.pid,
    isInteractive: false,
    isKept: keep,
    ended: () => ended,
    age: () => ended?.durationMs ?? performance.now() - began,
    watch: (signal) => watch(unread, () => ended !== undefined, signal),
    live: () => ({type: 'output', ...tail.read()}),
    onLive: tail.listen,
    write: async () => refuse(),
    type: refuse,
    resize: refuse,
    end: job.end,
    detach: job.detach,
  };
}

async function* watch(unread: UnreadOutput, isOver: () => boolean, signal: AbortSignal): ReturnType<PipedSession['watch']> {
  let output = '';
  for (;;) {
    for (const piece of unread.take()) {
      output += piece.text;
      yield piece;
    }
    if (isOver() || signal.aborted) break;
    await unread.next(signal);
  }
  for (const piece of unread.take()) {
    output += piece.text;
    yield piece;
  }
  return {output, dropped: unread.dropped(), screen: undefined};
}

/** The watching process has failed: nothing is known about the end of the command. */
function lost(durationMs: number): CommandResult {
  const nothing = {head: '', tail: '', totalBytes: 0, totalLines: 0, truncated: false, spillPath: undefined};
  return {exitCode: null, signal: null, timedOut: false, cancelled: false, durationMs, stdout: nothing, stderr: nothing};
}
