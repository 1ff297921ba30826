import {endOfChild, tellStopped} from '../agent/hooks/agent-hooks.ts';
import type {Hooks} from '../agent/hooks/hooks.ts';
import {askAll} from '../agent/hooks/turn-hooks.ts';
import {isFettleError} from '../base/errors.ts';
import type {ThreadHooks} from './open-hooks.ts';

interface Notifier extends Pick<ThreadHooks, 'aroundApproval' | 'aroundQuestions' | 'observe'> {
  /** Ends those that still run. */
  end(): Promise<void>;
}

/** Hooks that nobody waits for: notifications of questions, and those at the end of agents that work beside the thread. */
export function createNotifier(hooks: Hooks): Notifier {
  const stop = new AbortController();
  const running = new Set<Promise<void>>();

  const beside = (asked: Promise<unknown>): void => {
    const run = asked.then(ignore, unlessCancelled);
    running.add(run);
    void run.finally(() => running.delete(run));
  };
  const notify = (type: string, message: string): void => {
    const payload = {notification_type: type, title: 'Fettle', message};
    beside(askAll(hooks, {event: 'notification', name: type, payload}, stop.signal));
  };

  return {
    aroundApproval: (approve) =>
      approve === undefined
        ? undefined
        : async (request, signal) => {
            notify('permission_prompt', `${request.toolName} needs your permission: ${request.decision.reason}`);
            return await approve(request, signal);
          },
    aroundQuestions: (askUser) =>
      askUser === undefined
        ? undefined
        : async (questions, signal) => {
            notify('question', questions.map(({question}) => question).join('\n'));
            return await askUser(questions, signal);
          },
    observe(event) {
      const ended = endOfChild(event);
      if (ended !== undefined) beside(tellStopped(hooks, ended, stop.signal));
    },
    async end() {
      stop.abort();
      await Promise.all(running);
    },
  };
}

function ignore(): void {
  // What they say is told where they are run.
}

function unlessCancelled(error: unknown): void {
  if (!isFettleError(error) || error.code !== 'CANCELLED') throw error;
}
