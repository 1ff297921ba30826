import type {Continuation} from '../agent/continuation/continuation.ts';
import {namedChecks, openItems} from '../agent/continuation/tracker.ts';
import type {Orchestration} from '../agent/orchestration/orchestration.ts';
import type {RunResult} from '../agent/thread.ts';
import type {EndJudge} from '../agent/turn-end.ts';
import type {OutcomeCode, ThreadCompleted, ThreadEvent} from '../protocol/events.ts';
import type {HarnessParts} from './open-continuation.ts';
import type {OpenThreadOptions} from './open-thread.ts';
import type {OpenedTools} from './open-tools.ts';
import {createTaskWatch, type TaskWatch} from './task-watch.ts';

/** What decides, besides the model, when a run is over, and what it can say of its work. */
export interface Harness {
  readonly judges: readonly EndJudge[];
  /** What makes a request, with a plan before the first one of a turn where one is wanted. */
  around<T>(request: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T>;
  /** Sees every event of the thread. */
  observe(event: ThreadEvent): void;
  /** A run is over. Where a limit or a loop has cut it off from what it was to complete, that is written down. */
  ended(result: RunResult): Promise<void>;
  /** For thread.completed. */
  report(): Pick<ThreadCompleted, 'verified' | 'evaluation'>;
}

/** Costs nothing before there is a task list, a command that verifies, or a plan to be made; then the rest is loaded. */
export function openHarness(parts: HarnessParts): Harness {
  const watch = createTaskWatch();
  const continues = (): boolean => goesOn(parts);
  const verified = openVerified(parts, continues);
  const planned = parts.session.settings.harness.orchestration === 'single' ? undefined : openPlanned(parts, {watch, verified, continues});
  return {
    judges: [verified.judge, ...(planned === undefined ? [] : [planned.judge])],
    around: (request) =>
      planned === undefined
        ? request
        : async (signal) => {
            await planned.before(signal);
            return await request(signal);
          },
    observe(event) {
      watch.observe(event);
      verified.observe(event);
    },
    async ended({outcome, message = outcome}) {
      const hasMore = parts.verify.length > 0 || openItems(parts.todos.read()).length > 0;
      if (!CUT_OFF.has(outcome) || !continues() || !hasMore) return;
      const {handOff} = await import('./open-continuation.ts');
      await handOff(parts, {outcome, summary: message, turnId: undefined, results: verified.results()});
    },
    report: () => ({verified: verified.report(), ...planned?.report()}),
  };
}

const CUT_OFF: ReadonlySet<OutcomeCode> = new Set<OutcomeCode>([
  'turn_limit_reached',
  'token_limit_reached',
  'budget_limit_reached',
  'time_limit_reached',
  'loop_detected',
]);

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

interface Verified {
  readonly judge: EndJudge;
  observe(event: ThreadEvent): void;
  report(): boolean | 'none';
  results(): Continuation['results'];
}

function openVerified(parts: HarnessParts, continues: () => boolean): Verified {
  const {verify, todos} = parts;
  let opening: Promise<Continuation> | undefined;
  let continuation: Continuation | undefined;
  let isVerified = false;
  return {
    async judge(answer, signal) {
      isVerified = false;
      if (verify.length === 0 && (!continues() || todos.read().length === 0)) return undefined;
      continuation = await (opening ??= import('./open-continuation.ts').then((loaded) => loaded.openContinuation(parts, continues)));
      const verdict = await continuation.judge(answer, signal);
      ({isVerified} = continuation);
      return verdict;
    },
    observe(event) {
      if (event.type === 'turn.started' || isChange(event)) isVerified = false;
    },
    report: () => (namedChecks(verify, continues() ? todos.read() : []).length === 0 ? 'none' : isVerified),
    results: () => continuation?.results ?? [],
  };
}

function isChange(event: ThreadEvent): boolean {
  return event.type === 'item.completed' && (event.item.type === 'file_change' || event.item.type === 'command_execution');
}

interface Planned {
  readonly judge: EndJudge;
  before(signal: AbortSignal): Promise<void>;
  report(): Pick<ThreadCompleted, 'evaluation'>;
}

function openPlanned(
  parts: HarnessParts,
  {watch, verified, continues}: {watch: TaskWatch; verified: Verified; continues: () => boolean},
): Planned {
  let orchestration: Orchestration | undefined;
  return {
    async before(signal) {
      const task = watch.takeTask();
      if (task === undefined || !continues()) return;
      const {openOrchestration} = await import('./open-orchestration.ts');
      orchestration ??= openOrchestration({...parts, checks: verified.results, warnings: watch.warnings});
      await orchestration.plan(task, signal);
    },
    judge: async (answer, signal) => (continues() ? await orchestration?.judge(answer, signal) : undefined),
    report: () => (orchestration?.evaluation === undefined ? {} : {evaluation: orchestration.evaluation}),
  };
}
