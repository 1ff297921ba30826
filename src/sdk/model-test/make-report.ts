import {addSpending, NOTHING_SPENT} from '../../agent/budget.ts';
import {estimateTokens, totalTokens} from '../../context/compaction/estimate-tokens.ts';
import type {ModelRequest, Provider} from '../../models/provider.ts';
import {windowNotes} from '../model/apply-model-window.ts';
import type {ModelWindow, SessionSettings} from '../settings/session-settings.ts';
import {type ModelExchange, speedOf} from './ask-model.ts';
import type {MadeCall, ModelFault, ModelReport} from './model-report.ts';
import type {Probe} from './probe.ts';

/** A test of a model that is under way. */
export interface Test {
  readonly session: SessionSettings;
  readonly provider: Provider;
  readonly frame: Omit<ModelRequest, 'messages'>;
  readonly probe: Probe;
  readonly tell: (line: string) => void;
  /** Number of exchanges so far. */
  readonly exchanges: ModelExchange[];
}

/** The result of a probe. A window named by a refusal replaces the earlier one. */
export interface Found {
  readonly fault?: ModelFault | undefined;
  readonly call?: MadeCall | undefined;
  readonly answer?: string | undefined;
  readonly window?: ModelWindow;
}

/** Returns the estimated tokens of the first request. */
export function estimated({frame, probe}: Test): number {
  return estimateTokens(frame.system) + estimateTokens(JSON.stringify(frame.tools)) + totalTokens([{role: 'user', text: probe.task}]);
}

/** Undefined if the server does not count, or the request was refused. */
export function reportedBy(exchange: ModelExchange | undefined): number | undefined {
  if (exchange === undefined || !('reply' in exchange.outcome)) return undefined;
  return exchange.outcome.reply.usage.input_tokens || undefined;
}

/** Returns the report of a test that has ended. */
export function reportOf(
  test: Test,
  {fault, call, answer, window}: Found & {readonly window: ModelWindow},
  {toolset, notices}: {readonly toolset: string; readonly notices: readonly string[]},
): ModelReport {
  const {provider, frame, exchanges, session} = test;
  const [estimatedTokens, reportedTokens] = [estimated(test), reportedBy(exchanges[0])];
  const isAnswered = exchanges[0] !== undefined && 'reply' in exchanges[0].outcome;
  const share = window.source === 'guess' ? 0 : estimatedTokens / window.tokens;
  return {
    model: provider.model,
    fault,
    window,
    prompt: {toolset, tools: frame.tools.length, estimatedTokens, reportedTokens},
    call,
    answer,
    speed: speedOf(exchanges),
    spent: exchanges.reduce((sum, one) => addSpending(sum, one.spent), NOTHING_SPENT),
    notes: [
      ...windowNotes(session),
      ...notices,
      ...(share > LARGE_SHARE
        ? [`The prompt alone takes ${Math.round(share * 100)} % of the window: conversations will be shortened often.`]
        : []),
      ...(call?.form === 'text' ? [CALL_AS_TEXT] : []),
      ...(isAnswered && reportedTokens === undefined ? [NOT_COUNTED] : []),
    ],
  };
}

const LARGE_SHARE = 0.5;

const CALL_AS_TEXT =
  'The model wrote its call as text. Fettle reads such calls; with the tool-call parser of the server they fail less often (llama.cpp: --jinja, vLLM: --tool-call-parser).';

const NOT_COUNTED = 'The server does not count tokens: silent truncation cannot be detected.';
