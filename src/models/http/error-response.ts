import type {IncomingHttpHeaders} from 'node:http';
import {
  isAboutTemperature,
  isContextOverflow,
  isOtherLimit,
  isOutOfCredit,
  isUnknownModel,
  isWithoutLogprobs,
  isWrongKey,
  windowInRefusal,
} from './known-errors.ts';
import {keyHint, TOO_LONG_HINT, type Peer, type Problem} from './provider-problem.ts';
import type {ModelFailure} from '../provider.ts';
import {askedDelayMs} from './retry-delay.ts';
import {messageLine, serverMessage, type ServerMessage} from './server-message.ts';
import type {DecodeFailure} from '../wire.ts';

interface ErrorAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The server answered with a status other than 2xx. */
export function errorResponseProblem(answer: ErrorAnswer, peer: Peer, now: number): Problem {
  const said = serverMessage(answer.body);
  const {code, what, hint} = isUnexplained(answer.status, said) ? NO_LOGPROBS : meaning(answer, said, peer);
  const text = messageLine(said.text, peer.key);
  const message = `${peer.provider} ${what} (${answer.status})${text === '' ? '.' : `: ${text}`}`;
  const retryable = isTransient(answer.status) && code === 'PROVIDER' && !isOutOfCredit(said);
  const windowTokens = code === 'TOO_LARGE' ? windowInRefusal(said) : undefined;
  const failure = {code, message, hint, status: answer.status, windowTokens};
  const refuses = code === 'BAD_ARGS' && isAboutTemperature(answer.body) ? {refusesTemperature: true} : {};
  return {failure, retryable, askedMs: askedDelayMs(answer.headers, now), ...refuses};
}

/** The stream said an error, or ended too early; `isEmpty`: nothing of a reply came at all. */
export function undecodable(decoded: DecodeFailure, peer: Peer, isEmpty: boolean): Problem {
  const message = `${peer.provider}: ${messageLine(decoded.message, peer.key)}`;
  const said = {text: decoded.message, code: ''};
  if (isContextOverflow(said)) {
    return {failure: {code: 'TOO_LARGE', message, hint: TOO_LONG_HINT, windowTokens: windowInRefusal(said)}, retryable: false};
  }
  const hint = isEmpty ? `Is the base URL ${peer.baseUrl} right? Nothing of a reply came from there.` : 'Try again, or use another model.';
  return {failure: {code: 'PROVIDER', message, hint}, retryable: decoded.retryable};
}

/** 408, 409, 429 and everything from 500 on (529: Anthropic is overloaded). */
function isTransient(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

interface Meaning {
  readonly code: ModelFailure['code'];
  readonly what: string;
  readonly hint?: string;
}

function meaning(answer: ErrorAnswer, said: ServerMessage, peer: Peer): Meaning {
  const {status} = answer;
  if (status === 401 || status === 403 || (status === 400 && isWrongKey(said)))
    return {code: 'AUTH', what: 'did not accept the key', hint: keyHint(peer)};
  if (isTooLong(status, said)) {
    return {code: 'TOO_LARGE', what: 'cannot take a conversation of this length', hint: TOO_LONG_HINT};
  }
  if (status >= 300 && status < 400) {
    const target = messageLine(answer.headers.location ?? 'another address', peer.key);
    return {code: 'CONFIG', what: `redirects to ${target}`, hint: `Set the final address as base URL; it is ${peer.baseUrl} now.`};
  }
  if (isWrongPlace(status, said)) {
    const what = `does not know the model ${peer.wireModel}, or has no API at this address`;
    return {code: 'CONFIG', what, hint: `Check the name of the model and the base URL ${peer.baseUrl}.`};
  }
  if (status === 413) return OTHER_SIZE;
  return isTrouble(status) ? trouble(status, said) : NOT_ACCEPTED;
}

/** OpenAI says it with 403, which is not a matter of the key. */
function isUnexplained(status: number, said: ServerMessage): boolean {
  return status >= 400 && status < 500 && !isTrouble(status) && isWithoutLogprobs(said);
}

function isTooLong(status: number, said: ServerMessage): boolean {
  return status === 413 ? !isOtherLimit(said) : status !== 429 && isContextOverflow(said);
}

function isWrongPlace(status: number, said: ServerMessage): boolean {
  return status === 404 || (status < 500 && isUnknownModel(said));
}

function isTrouble(status: number): boolean {
  return isTransient(status) || status === 402;
}

/** The request is right; the server or the account is not ready for it. */
function trouble(status: number, said: ServerMessage): Meaning {
  if (status === 402 || isOutOfCredit(said)) {
    return {code: 'PROVIDER', what: 'has no credit left for this key', hint: 'Check the billing of the account.'};
  }
  if (status === 429) return {code: 'PROVIDER', what: 'limits the rate of requests', hint: 'Wait, or use another model.'};
  return {code: 'PROVIDER', what: 'failed', hint: 'Try again later, or use another model.'};
}

/** 413 for a reason that the length of the conversation does not explain: Groq sends it for tokens per minute, others for attachments. */
const OTHER_SIZE: Meaning = {
  code: 'PROVIDER',
  what: 'did not accept the size of the request',
  hint: 'The limit that it names is not the context window of the model: wait, send less at once, or use another model.',
};

const NO_LOGPROBS: Meaning = {
  code: 'BAD_ARGS',
  what: 'does not tell log probabilities for this model',
  hint: 'Set `logprobs = false` in the configuration, or use another model.',
};

const NOT_ACCEPTED: Meaning = {
  code: 'BAD_ARGS',
  what: 'did not accept the request',
  hint: 'Does the server use the wire format of its provider entry? `fettle models test` shows what it rejects.',
};
