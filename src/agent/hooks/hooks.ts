import {toFettleError, FettleError} from '../../base/errors.ts';
import type {JsonObject} from '../../base/json.ts';
import type {ExecEnvironment} from '../../exec/environment.ts';
import {factsOf, type HookEvent} from './hook-events.ts';
import {readAnswer, type HookAnswer} from './hook-answer.ts';
import type {Hook} from './read-hooks.ts';

/** The hooks of a thread. */
export interface Hooks {
  of(event: HookEvent): readonly Hook[];
  /** Runs a hook, reports notices about it, and returns its answer. Throws only CANCELLED. */
  ask(hook: Hook, payload: JsonObject, signal: AbortSignal): Promise<HookAnswer>;
  /** Returns once why the turn is to end, if a hook has said so. */
  takeStop(): string | undefined;
}

export interface HooksOptions {
  readonly hooks: readonly Hook[];
  readonly exec: ExecEnvironment;
  /** Fields that every event has on stdin. */
  readonly common: () => JsonObject;
  /** Variables that the headers of HTTP hooks may refer to. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Variables of hooks alone: the project folder, for one. */
  readonly variables: Readonly<Record<string, string>>;
  /** The reason why a hook must no longer run: its program is not what was trusted. */
  readonly changed: (hook: Hook) => Promise<string | undefined>;
  readonly tell: (message: string) => void;
}

/**
 * Runs hooks like commands of the thread: in its folder, with scrubbed variables, in its sandbox if there is
 * one, and their process tree is killed with them. Files written inside the sandbox never run outside of it.
 * HTTP hooks are requests of Fettle itself and run no code here.
 */
export function createHooks({hooks, exec, common, environment, variables, changed, tell}: HooksOptions): Hooks {
  let stop: string | undefined;

  const run = async (hook: Hook, payload: JsonObject, signal: AbortSignal): Promise<HookAnswer> => {
    const {event, command, timeoutMs = TIMEOUT_MS[event] ?? DEFAULT_MS} = hook;
    const reason = await changed(hook);
    if (reason !== undefined) throw new FettleError({code: 'DENIED', message: reason});
    const input = `${JSON.stringify({...common(), hook_event_name: factsOf(event).theirs, ...payload})}\n`;
    if (hook.http !== undefined) {
      const {postHook} = await import('./post-hook.ts');
      return readAnswer(event, await postHook({target: hook.http, input, env: environment, timeoutMs}, signal));
    }
    const env = {...variables, FETTLE_HOOK_EVENT: event};
    const result = await exec.run({shell: command, input, env, timeoutMs, capture: CAPTURE}, signal);
    if (result.cancelled) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
    const {stdout, stderr, exitCode, signal: ended, timedOut} = result;
    const output = {stdout: stdout.head, stderr: stderr.head, truncated: stdout.truncated};
    return readAnswer(event, {exitCode, signal: ended, timedOut, ...output});
  };

  return {
    of: (event) => hooks.filter((hook) => hook.event === event),
    takeStop() {
      const taken = stop;
      stop = undefined;
      return taken;
    },
    async ask(hook, payload, signal) {
      const answer = await run(hook, payload, signal).catch((thrown: unknown) => notStarted(hook, thrown));
      stop ??= answer.stop;
      for (const notice of answer.notices) tell(`${factsOf(hook.event).theirs} hook (${brief(hook.command)}): ${notice}`);
      return answer;
    },
  };
}

const DEFAULT_MS = 60_000;
/** Short, so that the end of a session is not delayed. */
const TIMEOUT_MS: Readonly<Partial<Record<HookEvent, number>>> = {session_end: 10_000};
const CAPTURE = {headBytes: 65_536, tailBytes: 0};

/** A hook that could not be run denies if its event fails closed; otherwise it only reports that it did not run. */
function notStarted(hook: Hook, thrown: unknown): HookAnswer {
  const error = toFettleError(thrown);
  if (error.code === 'CANCELLED') throw error;
  const why = `it could not be run: ${error.message}`;
  return factsOf(hook.event).failsClosed === true ? {verdict: 'deny', reason: why, notices: []} : {notices: [why]};
}

function brief(command: string): string {
  const line = command.replaceAll(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
