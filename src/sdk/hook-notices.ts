import type {Hooks} from '../agent/hooks/hooks.ts';
import {askAll} from '../agent/hooks/turn-hooks.ts';
import {isFettleError} from '../base/errors.ts';
import type {ThreadHooks} from './open-hooks.ts';

interface Notifier extends Pick<ThreadHooks, 'aroundApproval' | 'aroundQuestions'> {
  /** Ends those that still run. */
  end(): Promise<void>;
}

/** Notification hooks: run beside the question that they tell of, which does not wait for them. */
export function createNotifier(hooks: Hooks): Notifier {
  const stop = new AbortController();
  const running = new Set<Promise<void>>();
  if (hooks.of('notification').length === 0) {
    return {aroundApproval: (approve) => approve, aroundQuestions: (askUser) => askUser, end: async () => undefined};
  }

  const notify = (type: string, message: string): void => {
    const payload = {notification_type: type, title: 'Fettle', message};
    const run = askAll(hooks, {event: 'notification', name: type, payload}, stop.signal).then(ignore, unlessCancelled);
    running.add(run);
    void run.finally(() => running.delete(run));
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
