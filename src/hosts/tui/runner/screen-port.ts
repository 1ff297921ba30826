import {randomUUID} from 'node:crypto';
import {onAbort} from '../../../base/waiting/on-abort.ts';
import type {ThreadEvent} from '../../../protocol/events.ts';
import type {ScreenPort, SessionInfo} from '../host-adapter.ts';
import type {Action} from '../model/action.ts';
import type {PendingAnswers} from './perform.ts';

export interface ScreenPortOptions {
  readonly dispatch: (action: Action) => void;
  readonly answers: PendingAnswers;
  /** Facts about the current session. */
  readonly info: () => SessionInfo | undefined;
}

/** Creates the interface of the screen for a session. A question is removed from the screen when its signal aborts. */
export function createScreenPort({dispatch, answers, info}: ScreenPortOptions): ScreenPort {
  return {
    onEvent(event) {
      dispatch({type: 'event', event});
      const known = CHANGES_INFO.has(event.type) ? info() : undefined;
      if (known !== undefined) dispatch({type: 'info', info: known});
    },
    note: (text) => dispatch({type: 'entry', entry: {kind: 'notice', level: 'info', text}}),
    due: () => dispatch({type: 'due'}),
    background: (commands) => dispatch({type: 'background', commands}),
    approve: async (question, signal) =>
      await waitFor(answers.approvals, {
        id: question.id,
        signal,
        ask: () => dispatch({type: 'approval', question}),
        withdraw: () => dispatch({type: 'withdrawn', id: question.id}),
      }),
    async ask(questions, signal) {
      const id = randomUUID();
      return await waitFor(answers.questions, {
        id,
        signal,
        ask: () => dispatch({type: 'questions', id, questions}),
        withdraw: () => dispatch({type: 'withdrawn', id}),
      });
    },
    async review(question, signal) {
      const id = randomUUID();
      return await waitFor(answers.plans, {
        id,
        signal,
        ask: () => dispatch({type: 'plan', id, question}),
        withdraw: () => dispatch({type: 'withdrawn', id}),
      });
    },
    async trust(question, signal) {
      const id = randomUUID();
      return await waitFor(answers.trust, {
        id,
        signal,
        ask: () => dispatch({type: 'trust', id, question}),
        withdraw: () => dispatch({type: 'withdrawn', id}),
      });
    },
  };
}

/** Events after which the status line says something else. */
const CHANGES_INFO: ReadonlySet<ThreadEvent['type']> = new Set([
  'thread.started',
  'turn.completed',
  'turn.failed',
  'request.completed',
  'mode.changed',
  'thread.compact_boundary',
  'thread.rewound',
]);

interface Waiting {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly ask: () => void;
  readonly withdraw: () => void;
}

function waitFor<T>(pending: Map<string, (answer: T) => void>, {id, signal, ask, withdraw}: Waiting): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => {
      pending.delete(id);
      withdraw();
      reject(new DOMException('Nobody waits for an answer any more.', 'AbortError'));
    };
    if (signal.aborted) return aborted();
    const leave = onAbort(signal, aborted);
    pending.set(id, (answer) => {
      pending.delete(id);
      leave();
      resolve(answer);
    });
    ask();
  });
}
