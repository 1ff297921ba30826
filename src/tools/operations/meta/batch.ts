import * as z from 'zod/mini';
import {FettleError, toFettleError} from '../../../base/errors.ts';
import {isReadOnly} from '../../../protocol/side-effect.ts';
import type {ToolContext} from '../../context.ts';
import type {TodoList} from '../../ports/todo-list.ts';
import type {NestedCalls} from '../../ports/nested-calls.ts';
import {plainOperation} from '../../operation.ts';
import {orAbort} from '../../../base/waiting/or-abort.ts';

const args = z.object({
  /** A call without a tool name fails; the others still run. */
  calls: z.array(z.object({tool: z.string(), arguments: z.unknown()})),
  maxParallel: z.number(),
  /** After the first failure no further call is started. */
  failFast: z.boolean(),
  /** True: results are in the order of the calls; else in the order in which they ended. */
  ordered: z.boolean(),
  /** Time for all calls together. */
  cancelAfterMs: z.optional(z.number()),
});

const item = z.object({
  index: z.number(),
  tool: z.string(),
  ok: z.boolean(),
  output: z.optional(z.string()),
  error: z.optional(z.string()),
  /** True if the call was never started. */
  skipped: z.optional(z.literal(true)),
  elapsed_ms: z.number(),
});

const result = z.object({
  results: z.array(item),
  meta: z.object({
    total: z.number(),
    succeeded: z.number(),
    failed: z.number(),
    skipped: z.number(),
    elapsed_ms: z.number(),
    /** True if the time of the batch ran out. */
    cancelled: z.boolean(),
    max_parallel: z.number(),
    fail_fast: z.boolean(),
    ordered: z.boolean(),
    /** Metrics of the newest 512 calls in batches of this thread, including these. */
    metrics: z.object({
      calls: z.number(),
      failures: z.number(),
      /** 0 to 1. */
      failure_rate: z.number(),
      latency_ms: z.object({p50: z.number(), p95: z.number()}),
    }),
  }),
});

export type BatchArgs = z.infer<typeof args>;
export type BatchResult = z.infer<typeof result>;
type Item = z.infer<typeof item>;

/**
 * Runs calls of read-only tools at the same time, each through the whole dispatcher; a failed call does not stop
 * the others ("all-settled behavior", zblade tool calls › batch). Throws UNAVAILABLE inside another batch.
 */
export const batch = plainOperation<BatchArgs, BatchResult>({
  id: 'meta.batch',
  permission: 'batch',
  args,
  result,
  sideEffect: 'read',
  subjects: async () => [],
  async run(asked, ctx) {
    const {nested} = ctx;
    if (nested === undefined) throw new FettleError({code: 'UNAVAILABLE', message: 'A batch cannot run inside another call.'});
    const began = performance.now();
    const timeUp = asked.cancelAfterMs === undefined ? undefined : AbortSignal.timeout(asked.cancelAfterMs);
    const signal = timeUp === undefined ? ctx.signal : AbortSignal.any([ctx.signal, timeUp]);
    const results = await runCalls(asked, {nested, signal});
    throwIfCancelled(ctx);
    const succeeded = results.filter(({ok}) => ok).length;
    const skipped = results.filter((one) => one.skipped === true).length;
    return {
      results: asked.ordered ? results.toSorted((a, b) => a.index - b.index) : results,
      meta: {
        total: asked.calls.length,
        succeeded,
        failed: results.length - succeeded - skipped,
        skipped,
        elapsed_ms: Math.round(performance.now() - began),
        cancelled: timeUp?.aborted === true,
        max_parallel: asked.maxParallel,
        fail_fast: asked.failFast,
        ordered: asked.ordered,
        metrics: metricsOf(ctx.todos, results),
      },
    };
  },
});

interface Run {
  readonly nested: NestedCalls;
  readonly signal: AbortSignal;
}

/** Returns results in the order in which the calls ended; calls that were never started come last. */
async function runCalls({calls, maxParallel, failFast}: BatchArgs, run: Run): Promise<Item[]> {
  const results: Item[] = [];
  let next = 0;
  let stopped = false;
  const work = async (): Promise<void> => {
    while (!stopped && next < calls.length) {
      const index = next++;
      const call = calls[index];
      if (call === undefined) return;
      const done = await runOne(call, index, run);
      results.push(done);
      if (failFast && !done.ok) stopped = true;
    }
  };
  await Promise.all(Array.from({length: Math.min(maxParallel, calls.length)}, work));
  const skipped = calls.slice(next).map(({tool}, offset): Item => {
    return {index: next + offset, tool, ok: false, error: 'skipped: an earlier call failed', skipped: true, elapsed_ms: 0};
  });
  return [...results, ...skipped];
}

async function runOne({tool, arguments: input}: BatchArgs['calls'][number], index: number, {nested, signal}: Run): Promise<Item> {
  const began = performance.now();
  const done = (end: Pick<Item, 'ok' | 'output' | 'error'>): Item => ({
    index,
    tool,
    ...end,
    elapsed_ms: Math.round(performance.now() - began),
  });
  if (signal.aborted) return done({ok: false, error: 'cancelled'});
  if (tool === '') return done({ok: false, error: NAMELESS});
  try {
    const found = await nested.find(tool, input);
    if (found !== undefined && (found.name === 'batch' || !isReadOnly(found.sideEffect))) return done({ok: false, error: NOT_ALLOWED});
    const {text, isError} = await orAbort(nested.run(tool, input, signal), signal);
    return done(isError ? {ok: false, error: text} : {ok: true, output: text});
  } catch (error) {
    return done({ok: false, error: signal.aborted ? 'cancelled' : toFettleError(error).message});
  }
}

interface Sample {
  readonly ok: boolean;
  readonly ms: number;
}

const MAX_SAMPLES = 512;
/** Keyed by task list, since a thread has one. */
const SAMPLES = new WeakMap<TodoList, readonly Sample[]>();

function metricsOf(thread: TodoList, results: readonly Item[]): BatchResult['meta']['metrics'] {
  const added = results.flatMap(({skipped, ok, elapsed_ms: ms}) => (skipped === true ? [] : [{ok, ms}]));
  const samples = [...(SAMPLES.get(thread) ?? []), ...added].slice(-MAX_SAMPLES);
  SAMPLES.set(thread, samples);
  const failures = samples.filter(({ok}) => !ok).length;
  const sorted = samples.map(({ms}) => ms).toSorted((a, b) => a - b);
  const percentile = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return {
    calls: samples.length,
    failures,
    failure_rate: samples.length === 0 ? 0 : Math.round((failures / samples.length) * 1000) / 1000,
    latency_ms: {p50: percentile(0.5), p95: percentile(0.95)},
  };
}

/** "Only read-only tools are allowed. `batch` itself and `run_command` are explicitly blocked" (zblade tool calls › batch). */
const NOT_ALLOWED = 'tool is not allowed in batch: only read-only tools are, and not batch itself';

const NAMELESS = 'the call names no tool: each has tool (or name) and arguments';

function throwIfCancelled({signal}: ToolContext): void {
  if (signal.aborted) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
}
