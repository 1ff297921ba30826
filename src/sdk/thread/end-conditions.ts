import type {Continuation} from '../../agent/continuation/continuation.ts';
import {namedChecks, openItems} from '../../agent/continuation/open-items.ts';
import type {Orchestration} from '../../agent/orchestration/orchestration.ts';
import type {RunReport, RunResult} from '../../agent/thread.ts';
import type {KnownAtEnd} from '../../agent/turn-context.ts';
import {createRunRecord} from '../../agent/verification/run-record.ts';
import type {EndJudge} from '../../agent/turn-end.ts';
import {isJsonObject} from '../../base/json.ts';
import type {OutcomeCode, ThreadCompleted, ThreadEvent} from '../../protocol/events.ts';
import {openVerification} from '../verification/open-verification.ts';
import type {ThreadPlugin} from '../plugins/thread-plugin.ts';
import {goesOn, type HarnessParts} from './harness-parts.ts';
import {createTaskWatch, type TaskWatch} from '../verification/task-watch.ts';

/** The end conditions of a run besides the model, and the facts about its work. */
export interface Harness {
  readonly verification: ThreadPlugin;
  /** Plans before the first request of a turn, and evaluates the answer; absent if one model does all. */
  readonly orchestration: ThreadPlugin | undefined;
  /** Wraps a run: unfinished work is written down if a limit or a loop has ended it, and the result gets its report. */
  run(body: () => Promise<RunResult>, signal: AbortSignal): Promise<RunResult>;
  /** Files were changed by others: earlier verification no longer counts. */
  changed(): void;
  readonly known: KnownAtEnd;
  /** Returns the report for thread.completed. */
  report(): RunReport;
}

/** Costs nothing before there is a task list, a command that verifies, or a plan to be made; only then is the rest loaded. */
export function openHarness(parts: HarnessParts): Harness {
  const watch = createTaskWatch();
  const continues = (): boolean => goesOn(parts);
  const verified = openVerified(parts, continues);
  const planned = parts.session.settings.harness.orchestration === 'single' ? undefined : openPlanned(parts, {watch, verified, continues});
  const record = createRunRecord(parts.todos.read);
  const proof = openVerification(parts, () => namedChecks(parts.verify, continues() ? parts.todos.read() : []));
  const report = (): RunReport => ({
    verified: verified.report(),
    ...proof.report(verified.results()),
    ...planned?.report(),
    ...record.report(),
  });
  return {
    verification: {
      name: 'verification',
      async judgeEnd(answer, signal) {
        await proof.atChecks(signal);
        return await verified.judge(answer, signal);
      },
      onEvent(event) {
        watch.observe(event);
        record.observe(event);
        verified.observe(event);
      },
    },
    orchestration: planned === undefined ? undefined : orchestrationPlugin(planned),
    async run(body, signal) {
      record.begin();
      await proof.begin(signal);
      const result = await body();
      await handOffWhereCutOff(parts, result, {continues, results: verified.results});
      await proof.end(verified.report());
      return {...result, report: report()};
    },
    changed: verified.changed,
    known: {isProven: () => parts.verify.length > 0 && verified.report() === true, remedies: record.remedies},
    report,
  };
}

type CutOff = Pick<Verified, 'results'> & {readonly continues: () => boolean};

async function handOffWhereCutOff(
  parts: HarnessParts,
  {outcome, message = outcome}: RunResult,
  {continues, results}: CutOff,
): Promise<void> {
  const hasMore = parts.verify.length > 0 || openItems(parts.todos.read()).length > 0;
  if (!CUT_OFF.has(outcome) || !continues() || !hasMore) return;
  const {handOff} = await import('./open-continuation.ts');
  await handOff(parts, {outcome, summary: message, turnId: undefined, results: results()});
}

const CUT_OFF: ReadonlySet<OutcomeCode> = new Set<OutcomeCode>([
  'turn_limit_reached',
  'token_limit_reached',
  'budget_limit_reached',
  'time_limit_reached',
  'loop_detected',
]);

interface Verified {
  readonly judge: EndJudge;
  observe(event: ThreadEvent): void;
  changed(): void;
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
    changed: () => void (isVerified = false),
    report: () => (namedChecks(verify, continues() ? todos.read() : []).length === 0 ? 'none' : isVerified),
    results: () => continuation?.results ?? [],
  };
}

/** Includes changes by a subagent, and by a person who undoes something. */
function isChange(event: ThreadEvent): boolean {
  if (event.type === 'thread.rewound') return true;
  const done = event.type === 'agent.event' ? event.event : event;
  if (done.type !== 'item.completed' || !('item' in done)) return false;
  const {item} = done;
  return isJsonObject(item) && (item['type'] === 'file_change' || item['type'] === 'command_execution');
}

function orchestrationPlugin({before, judge}: Planned): ThreadPlugin {
  return {
    name: 'orchestration',
    judgeEnd: judge,
    wrapRequest: (request) => async (signal) => {
      await before(signal);
      return await request(signal);
    },
  };
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
      const {openOrchestration} = await import('../subagents/open-orchestration.ts');
      orchestration ??= openOrchestration({...parts, checks: verified.results, warnings: watch.warnings});
      await orchestration.plan(task, signal);
    },
    judge: async (answer, signal) => (continues() ? await orchestration?.judge(answer, signal) : undefined),
    report: () => (orchestration?.evaluation === undefined ? {} : {evaluation: orchestration.evaluation}),
  };
}
