import {createMeter} from '../../agent/meter.ts';
import {createToolCalls} from '../../agent/tool-calls.ts';
import {runTurn} from '../../agent/turn.ts';
import type {TurnContext} from '../../agent/turn-context.ts';
import {newId} from '../../base/ids.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {Message} from '../../protocol/messages.ts';
import {createHistory} from '../../sessions/history.ts';
import type {RecordedCall, RecordedStep, RecordedTurn} from '../../sessions/replay/recorded-turns.ts';
import {createDispatcher} from '../../tools/dispatch/dispatcher.ts';
import type {DispatchResult} from '../../tools/dispatch/dispatch.ts';
import type {OpenedTools} from '../tools/opened-tools.ts';
import {createReplayDispatcher} from './replay-dispatcher.ts';
import {createReplayProvider, type ReplayProvider} from './replay-provider.ts';
import type {Divergence, ReplayReport} from './replay-report.ts';

export interface RunReplayOptions {
  readonly tools: OpenedTools;
  readonly turns: readonly RecordedTurn[];
  readonly folder: {readonly from: string; readonly to: string};
  readonly runsCommands: boolean;
  readonly same: (text: string) => string;
  readonly onEvent: (event: ThreadEvent) => void;
}

type Replayed = Pick<ReplayReport, 'turns' | 'requests' | 'calls' | 'notRun' | 'divergence'>;

/** Runs the usual loop and tools with recorded replies; stops at the first difference. */
export async function runReplay(options: RunReplayOptions, signal: AbortSignal): Promise<Replayed> {
  const progress = createProgress(options);
  const context = turnContext(options, progress);
  const timeUp = new AbortController().signal;
  for (const turn of options.turns) {
    if (progress.stop.signal.aborted || signal.aborted) break;
    progress.provider.begin(turn);
    const before = progress.done.requests;
    const result = await runTurn(context, turn.prompt, {signal: AbortSignal.any([signal, progress.stop.signal]), timeUp});
    const made = progress.done.requests - before;
    if (!signal.aborted && made < turn.steps.length) {
      const now = `${made} requests: ${result.message ?? result.outcome}`;
      progress.diverge({what: 'end', message: 'The turn ended early.', recorded: `${turn.steps.length} requests`, now});
    }
    if (!progress.stop.signal.aborted) progress.done.turns += 1;
  }
  const {turns, requests, calls, notRun, divergence} = progress.done;
  return {turns, requests, calls, notRun: [...notRun], divergence: withTurn(divergence, options.turns)};
}

/** Progress of a replay. */
interface Progress {
  readonly done: {turns: number; requests: number; calls: number; readonly notRun: Set<string>; divergence: Divergence | undefined};
  readonly provider: ReplayProvider;
  /** Aborted by the first difference. */
  readonly stop: AbortController;
  diverge(difference: Omit<Divergence, 'turn' | 'request'>): void;
}

function createProgress({same}: RunReplayOptions): Progress {
  const done: Progress['done'] = {turns: 0, requests: 0, calls: 0, notRun: new Set(), divergence: undefined};
  const stop = new AbortController();
  const diverge: Progress['diverge'] = (difference) => {
    done.divergence ??= {turn: done.turns + 1, request: done.requests, ...difference};
    stop.abort();
  };
  return {done, stop, diverge, provider: createReplayProvider({model: 'replay', same, onDifference: diverge})};
}

function turnContext(options: RunReplayOptions, {done, provider, diverge}: Progress): TurnContext {
  const threadId = newId('thr');
  const history = createHistory();
  const emit = (event: ThreadEvent): void => {
    if (event.type === 'request.completed') done.requests += 1;
    history.apply(event);
    options.onEvent(event);
  };
  const calls = createToolCalls({
    emit,
    createDispatcher: ({listener}) =>
      createReplayDispatcher({
        inner: createDispatcher({...options.tools.dispatcher, listener}),
        listener,
        toolset: options.tools.toolset,
        recorded: () => provider.current()?.calls ?? [],
        runsCommands: options.runsCommands,
        folder: options.folder,
        onRun(call, result) {
          done.calls += 1;
          const found = differenceOfCall(call, result, options.same);
          if (found !== undefined) diverge({what: 'call', ...found});
        },
        onSkip: (call, why) => void done.notRun.add(`${call.name}: ${why}`),
      }),
  });
  return {
    threadId,
    provider,
    queue: {add: () => '', take: () => undefined, size: 0},
    meter: createMeter({limits: {}, now: () => performance.now()}),
    emit,
    now: () => performance.now(),
    async request() {
      const step = provider.next();
      if (step !== undefined) comeIn(step, {messages: history.messages(), emit, threadId});
      return {system: '', messages: history.messages(), tools: []};
    },
    runTools: calls.run,
    // The texts that made the recorded turn go on are in the recording.
    endJudges: [
      async () => {
        const feedback = provider.next()?.texts[0];
        return feedback === undefined ? undefined : {feedback};
      },
    ],
  };
}

/** The number of a request counts from the beginning of its turn. */
function withTurn(divergence: Divergence | undefined, turns: readonly RecordedTurn[]): Divergence | undefined {
  if (divergence === undefined) return undefined;
  const before = turns.slice(0, divergence.turn - 1).reduce((sum, {steps}) => sum + steps.length, 0);
  return {...divergence, request: Math.max(1, divergence.request - before + (divergence.what === 'request' ? 1 : 0))};
}

interface Conversation {
  readonly messages: readonly Message[];
  readonly emit: (event: ThreadEvent) => void;
  readonly threadId: string;
}

/** Adds what the recorded conversation received before this request but the replayed one lacks: a compaction, or texts of people and the harness. */
function comeIn({texts, compacted, messages: sent}: RecordedStep, {messages, emit, threadId}: Conversation): void {
  if (compacted) {
    const counts = {original_message_count: messages.length, compacted_message_count: sent.length};
    return emit({
      type: 'thread.compact_boundary',
      thread_id: threadId,
      trigger: 'replay',
      mode: 'recorded',
      ...counts,
      messages: [...sent],
    });
  }
  const last = messages.findLastIndex(({role}) => role !== 'user');
  const here = messages.slice(last + 1).flatMap((message) => (message.role === 'user' ? [message.text] : []));
  for (const text of texts) {
    if (!here.includes(text)) emit({type: 'item.completed', item: {id: newId('itm'), type: 'user_message', text}});
  }
}

function differenceOfCall(
  call: RecordedCall,
  result: DispatchResult,
  same: (text: string) => string,
): Omit<Divergence, 'turn' | 'request' | 'what'> | undefined {
  const [recorded, now] = [same(call.output ?? ''), same(result.text)];
  if (recorded === now && call.isError === result.isError) return undefined;
  const how =
    call.isError === result.isError
      ? 'says something else'
      : result.isError
        ? `fails now (${result.outcome})`
        : 'works now, and failed then';
  return {message: `${call.name} ${how}.`, call: {name: call.name, arguments: call.arguments}, recorded, now};
}
