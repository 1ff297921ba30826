import {CUT_HINT, truncationSummary} from '../../context/compaction/truncation-notice.ts';
import type {ModelFailure, ModelReply} from '../../models/provider.ts';
import type {ToolCallPart} from '../../protocol/messages.ts';
import type {ModelFault} from './model-report.ts';

/** The server failed, or refused the request. */
export function providerFault({code, message, hint}: ModelFailure): ModelFault {
  return {code: 'provider_error', message, hint: code === 'BAD_ARGS' ? 'Check `format` and `base_url` of the provider entry.' : hint};
}

/** The same request without tools was answered. */
export function toolsRefused({message}: ModelFailure): ModelFault {
  return {code: 'tools_refused', message: `The server accepts the prompt, but not with tools. ${message}`, hint: TOOLS_HINT};
}

/** The server says that the prompt is too long. */
export function tooLong({message}: ModelFailure): ModelFault {
  const hint =
    'Start the server with a larger context, or use --toolset small and shorter instruction files (`fettle context show` lists the parts).';
  return {code: 'window_too_small', message, hint};
}

/** Undefined if the server read all tokens of the request, or does not say. */
export function cutFault(reported: number | undefined, expected: number): ModelFault | undefined {
  if (reported === undefined || reported >= expected / 2) return undefined;
  const hint = `${CUT_HINT} A server that counts only what its cache did not have looks the same: then restart it and test once more.`;
  return {code: 'silent_cut', message: truncationSummary({reported, expected}), hint};
}

export function emptyAnswer({stopReason}: ModelReply): ModelFault {
  if (stopReason === 'max_tokens') {
    const hint =
      'Raise the output limit of the server (Ollama: num_predict, llama.cpp: --predict) or its context, or use a model that thinks less.';
    return {code: 'empty_answer', message: 'The model reached its output limit before it said anything.', hint};
  }
  const hint =
    'Try again. If it stays so, the chat template of the server does not fit the model: use that of its maker, or another model.';
  return {code: 'empty_answer', message: 'The answer of the model is empty.', hint};
}

export function unclearCall(text: string): ModelFault {
  return {code: 'unclear_call', message: `The model wrote a tool call as text that cannot be read: ${quoted(text)}.`, hint: TOOLS_HINT};
}

/** @param others calls that were not asked for */
export function noCall(asked: string, {text, others}: {text: string; others: readonly ToolCallPart[]}): ModelFault {
  const [other] = others;
  const instead = other === undefined ? `answered ${quoted(text)}` : `called ${other.name} with ${quoted(other.arguments)}`;
  const hint = other === undefined ? TOOLS_HINT : 'It can call tools but does not follow the instructions: use a larger model.';
  return {code: 'no_call', message: `The model was asked to call ${asked}, and ${instead}.`, hint};
}

export function noAnswer(requests: number): ModelFault {
  return {
    code: 'no_answer',
    message: `The model got its result but only called tools again, for ${requests} requests.`,
    hint: RESULTS_HINT,
  };
}

export function resultUnused(text: string): ModelFault {
  return {code: 'result_unused', message: `The answer does not contain the result of the tool: ${quoted(text)}.`, hint: RESULTS_HINT};
}

const TOOLS_HINT =
  'Switch on tool calls in the server (llama.cpp: --jinja, vLLM: --enable-auto-tool-choice and --tool-call-parser), or use a model that is made for them.';
const RESULTS_HINT =
  'Does the chat template of the server pass the results of tools on? Use that of the maker of the model, or another model.';

function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return JSON.stringify(line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS).toWellFormed()}…` : line);
}

const MAX_CHARS = 120;
