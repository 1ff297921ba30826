import type {Continuation} from '../agent/continuation/continuation.ts';
import {namedChecks} from '../agent/continuation/tracker.ts';
import type {EndJudge} from '../agent/turn-end.ts';
import type {ThreadCompleted, ThreadEvent} from '../protocol/events.ts';
import type {HarnessParts} from './open-continuation.ts';
import type {OpenThreadOptions} from './open-thread.ts';
import type {OpenedTools} from './open-tools.ts';

/** What decides, besides the model, when a run is over, and what it can say of its work. */
export interface Harness {
  readonly judges: readonly EndJudge[];
  /** Sees every event of the thread. */
  observe(event: ThreadEvent): void;
  /** For thread.completed. */
  report(): Pick<ThreadCompleted, 'verified'>;
}

/** Costs nothing before there is a task list or a command that verifies; then the rest is loaded. */
export function openHarness(parts: HarnessParts): Harness {
  const {verify, todos} = parts;
  const continues = (): boolean => goesOn(parts);
  const list = (): readonly string[] => namedChecks(verify, continues() ? todos.read() : []);
  let opening: Promise<Continuation> | undefined;
  let isVerified = false;
  return {
    judges: [
      async (answer, signal) => {
        isVerified = false;
        if (verify.length === 0 && (!continues() || todos.read().length === 0)) return undefined;
        const continuation = await (opening ??= loaded(parts, continues));
        const verdict = await continuation.judge(answer, signal);
        isVerified = continuation.isVerified;
        return verdict;
      },
    ],
    observe(event) {
      if (event.type === 'turn.started' || isChange(event)) isVerified = false;
    },
    report: () => ({verified: list().length === 0 ? 'none' : isVerified}),
  };
}

type Settled = 'session' | 'threadId' | 'isHeadless' | 'readOnly' | 'verify' | 'mode';

/** What the options of a thread say of it. */
export function harnessParts(
  options: OpenThreadOptions,
  threadId: string,
  tools: Pick<OpenedTools, 'policy'>,
): Pick<HarnessParts, Settled> {
  const {session, approve, askUser, readOnly = false, verify = []} = options;
  const isHeadless = approve === undefined && askUser === undefined;
  return {session, threadId, isHeadless, readOnly, verify, mode: () => tools.policy().mode};
}

/** Whether the task list of this thread holds up its end. In the mode plan nothing can be done that would complete it. */
function goesOn({session, isHeadless, readOnly, mode}: HarnessParts): boolean {
  const {continuation} = session.settings.harness;
  if (readOnly || continuation === 'off' || mode() === 'plan') return false;
  return continuation === 'all' || mode() === 'full-auto' || (continuation === 'exec' && isHeadless);
}

async function loaded(parts: HarnessParts, continues: () => boolean): Promise<Continuation> {
  const {openContinuation} = await import('./open-continuation.ts');
  return openContinuation(parts, continues);
}

function isChange(event: ThreadEvent): boolean {
  return event.type === 'item.completed' && (event.item.type === 'file_change' || event.item.type === 'command_execution');
}
