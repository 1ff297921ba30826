import type {OutputListener} from '../../exec/process/command.ts';
import type {Mode} from '../../policy/decision.ts';
import type {Asides} from './asides.ts';
import {assertArguments} from '../arguments/check-arguments.ts';
import type {OneRun} from './single-run.ts';
import type {Harness} from './end-conditions.ts';
import {THREAD_ARGUMENTS} from '../arguments/thread-arguments.ts';
import type {OpenedTools} from '../tools/opened-tools.ts';
import type {ThreadModes} from './thread-modes.ts';
import type {TypedCommand} from './run-typed-shell.ts';

/** Actions of a person in a thread besides writing to the model. */
export interface UserActions {
  /** Adds an allow rule for the rest of the session. */
  grant(rule: string): void;
  /** Returns the current approval mode. */
  mode(): Mode;
  /**
   * Switches the approval mode from the next decision on, also during a turn. The log and the host get
   * `mode.changed`. Throws DENIED for full-auto unless the thread was started with it.
   */
  setMode(mode: Mode): void;
  /** Tells the model, before the next prompt, about actions of the person outside the conversation. */
  tell(text: string): void;
  /**
   * Runs a shell line that a person typed, in the workspace, without approval and without the sandbox. Never pass
   * text of a model. The model gets the line and its output before the next prompt.
   */
  shell(line: string, signal: AbortSignal, onOutput?: OutputListener): Promise<TypedCommand>;
}

export interface ActsOptions {
  readonly modes: ThreadModes;
  readonly begin: () => void;
  readonly asides: Asides;
  readonly tools: Pick<OpenedTools, 'ownExec' | 'dispatcher' | 'grant'>;
  readonly harness: Pick<Harness, 'changed'>;
  readonly calls: Pick<OneRun, 'assertOpen'>;
}

export function userActions({modes, begin, asides, tools, harness, calls}: ActsOptions): UserActions {
  return {
    grant(rule) {
      assertArguments('thread.grant', THREAD_ARGUMENTS.grant, [rule]);
      tools.grant(rule);
    },
    mode: modes.current,
    setMode(mode) {
      assertArguments('thread.setMode', THREAD_ARGUMENTS.setMode, [mode]);
      calls.assertOpen();
      modes.set(mode, begin);
    },
    tell(text) {
      assertArguments('thread.tell', THREAD_ARGUMENTS.tell, [text]);
      asides.add(text);
    },
    async shell(line, signal, onOutput) {
      assertArguments('thread.shell', THREAD_ARGUMENTS.shell, [line, signal]);
      calls.assertOpen();
      const {runTypedShell} = await import('./run-typed-shell.ts');
      const done = await runTypedShell(line, {exec: tools.ownExec, secrets: tools.dispatcher.secrets, tell: asides.add, onOutput}, signal);
      // Notified of actions: earlier verification may no longer hold.
      harness.changed();
      return done;
    },
  };
}
