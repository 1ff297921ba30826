import {endOfChild, notifyStopped} from '../../agent/hooks/agent-hooks.ts';
import type {Hooks} from '../../agent/hooks/hooks.ts';
import {askAll} from '../../agent/hooks/turn-hooks.ts';
import {isFettleError} from '../../base/errors.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {ThreadHooks} from './thread-hooks.ts';

interface Notifier extends Pick<ThreadHooks, 'aroundApproval' | 'aroundQuestions'> {
  /** Takes every event of the thread. */
  observe(event: ThreadEvent): void;
  /** Ends the hooks that are still running. */
  end(): Promise<void>;
}

/** Runs hooks that nothing waits for: notifications of questions, and hooks at the end of agents that work beside the thread. */
export function createNotifier(hooks: Hooks): Notifier {
  const stop = new AbortController();
  const running = new Set<Promise<void>>();
  let hasPerson = false;
  let idle: NodeJS.Timeout | undefined;

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
    aroundApproval(approve) {
      if (approve === undefined) return undefined;
      hasPerson = true;
      return async (request, signal) => {
        notify('permission_prompt', `${request.toolName} needs your permission: ${request.decision.reason}`);
        return await approve(request, signal);
      };
    },
    aroundQuestions: (askUser) =>
      askUser === undefined
        ? undefined
        : async (questions, signal) => {
            notify('question', questions.map(({question}) => question).join('\n'));
            return await askUser(questions, signal);
          },
    observe(event) {
      if (hasPerson && ENDS_OR_BEGINS.has(event.type)) {
        clearTimeout(idle);
        idle =
          event.type === 'turn.started'
            ? undefined
            : setTimeout(() => notify('idle_prompt', 'Fettle waits for your input.'), IDLE_MS).unref();
      }
      const ended = endOfChild(event);
      if (ended !== undefined) beside(notifyStopped(hooks, ended, stop.signal));
    },
    async end() {
      clearTimeout(idle);
      stop.abort();
      await Promise.all(running);
    },
  };
}

/** Time without input before the notification (Claude Code › Notification, idle_prompt). */
export const IDLE_MS = 60_000;
const ENDS_OR_BEGINS: ReadonlySet<string> = new Set(['turn.started', 'turn.completed', 'turn.failed']);

function ignore(): void {
  // Their answers are reported where they run.
}

function unlessCancelled(error: unknown): void {
  if (!isFettleError(error) || error.code !== 'CANCELLED') throw error;
}
