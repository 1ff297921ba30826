import {readReply, textOf} from '../../agent/replies/read-reply.ts';
import {isFettleError} from '../../base/errors.ts';
import {assertFits} from '../../context/compaction/assert-fits.ts';
import type {ModelFailure, ModelReply, ModelRequest} from '../../models/provider.ts';
import {openProvider} from '../../models/open-provider.ts';
import type {Message, ToolCallPart} from '../../protocol/messages.ts';
import {windowKey, rememberWindow} from '../model/model-window.ts';
import {openFrame} from '../thread/open-frame.ts';
import {withWindow} from '../model/apply-model-window.ts';
import type {ModelWindow, SessionSettings} from '../settings/session-settings.ts';
import {askModel} from './ask-model.ts';
import * as faults from './faults.ts';
import {estimated, type Found, reportedBy, reportOf, type Test} from './make-report.ts';
import type {MadeCall, ModelFault, ModelReport} from './model-report.ts';
import {createProbe} from './probe.ts';

/**
 * Sends a model the same request as a run in this folder, with a small task that needs a call of a tool and its
 * result. Nothing is run: the result is made up. `tell` receives progress, line by line. Throws CONFIG for an
 * unknown model or tool, and CANCELLED; mistakes of the server and the model are in the report.
 */
export async function testModel(settings: SessionSettings, tell: (line: string) => void, signal: AbortSignal): Promise<ModelReport> {
  const provider = await openProvider(settings.settings.model ?? '', settings.providerSettings);
  const session = await withWindow(settings);
  const {frame, tools, notices, close} = await openFrame(session, signal);
  try {
    const probe = createProbe(frame.tools, tools.toolset);
    const test: Test = {session, provider, frame, probe, tell, exchanges: []};
    const window = {...session.window};
    const found = await tryModel(test, window, signal);
    return reportOf(test, {window, ...found}, {toolset: tools.toolset.name, notices});
  } finally {
    await close();
  }
}

async function tryModel(test: Test, window: ModelWindow, signal: AbortSignal): Promise<Found> {
  const {frame, probe} = test;
  const messages: readonly Message[] = [{role: 'user', text: probe.task}];
  if (window.source !== 'guess') {
    const fault = doesNotFit(() => assertFits({window: window.tokens, frame, messages}));
    if (fault !== undefined) return {fault};
  }
  return await converse(test, messages, signal);
}

function doesNotFit(check: () => void): ModelFault | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!isFettleError(error) || error.code !== 'TOO_LARGE') throw error;
    return {code: 'window_too_small', message: error.message, hint: error.hint};
  }
}

/** Continues until the model has called the tool and answered, or does something that would end a run. */
async function converse(test: Test, task: readonly Message[], signal: AbortSignal): Promise<Found> {
  const {frame, probe, exchanges} = test;
  let messages = task;
  let call: MadeCall | undefined;
  let others: readonly ToolCallPart[] = [];
  while (exchanges.length < MOST_REQUESTS) {
    const request = {...frame, messages};
    const exchange = await askModel(test, request, signal);
    exchanges.push(exchange);
    if ('failure' in exchange.outcome) return {call, ...(await refusal(test, {request, failure: exchange.outcome.failure}, signal))};
    const {reply} = exchange.outcome;
    const {parts, received, hasUnclearCall} = readReply(reply, request, test.provider.model);
    const calls = parts.filter((part) => part.type === 'tool_call');
    const asked = calls.find(probe.isAskedFor);
    if (asked !== undefined) call ??= {form: received === undefined ? 'native' : 'text', name: asked.name, arguments: asked.arguments};
    const cut = exchanges.length === 1 ? faults.cutFault(reportedBy(exchange), estimated(test)) : undefined;
    if (cut !== undefined) return {call, fault: cut};
    if (calls.length === 0) return ending(test, {reply, text: textOf(parts), hasUnclearCall, call, others});
    others = [...others, ...calls.filter((one) => !probe.isAskedFor(one))];
    messages = [...messages, {role: 'assistant', parts}, probe.resultsOf(calls)];
  }
  return {call, fault: call === undefined ? faults.noCall(probe.asked, {text: '', others}) : faults.noAnswer(MOST_REQUESTS)};
}

/** One for the call, one for the answer, and as many for a model that goes astray. */
const MOST_REQUESTS = 4;

interface Ending {
  readonly reply: ModelReply;
  readonly text: string;
  readonly hasUnclearCall: boolean;
  readonly call: MadeCall | undefined;
  readonly others: readonly ToolCallPart[];
}

function ending({probe}: Test, {reply, text, hasUnclearCall, call, others}: Ending): Found {
  const answer = text.trim();
  if (answer === '') return {call, fault: faults.emptyAnswer(reply)};
  if (hasUnclearCall) return {call, answer, fault: faults.unclearCall(answer)};
  if (call === undefined) return {answer, fault: faults.noCall(probe.asked, {text: answer, others})};
  return {call, answer, fault: probe.isAnswer(answer) ? undefined : faults.resultUnused(answer)};
}

/** Finds out why a request was refused; to see whether the tools are the reason, it is repeated without them. */
async function refusal(
  test: Test,
  {request, failure}: {readonly request: ModelRequest; readonly failure: ModelFailure},
  signal: AbortSignal,
): Promise<Found> {
  const {session, provider, exchanges} = test;
  const {code, status, windowTokens} = failure;
  if (code === 'TOO_LARGE') {
    if (windowTokens === undefined) return {fault: faults.tooLong(failure)};
    rememberWindow(session.paths.stateDir, windowKey(provider.model, session.providerSettings), windowTokens);
    return {fault: faults.tooLong(failure), window: {model: provider.model, tokens: windowTokens, source: 'refusal'}};
  }
  if (exchanges.length > 1 || status === undefined || OTHER_REASONS.has(status) || code === 'AUTH') {
    return {fault: faults.providerFault(failure)};
  }
  const without = await askModel(test, {...request, tools: []}, signal);
  exchanges.push(without);
  return {fault: 'reply' in without.outcome ? faults.toolsRefused(failure) : faults.providerFault(failure)};
}

/** No credit, too many requests. */
const OTHER_REASONS: ReadonlySet<number> = new Set([402, 429]);
