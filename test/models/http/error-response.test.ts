import {describe, expect, it} from 'vitest';
import type {Peer} from '../../../src/models/http/provider-problem.ts';
import {thrownProblem} from '../../../src/models/http/provider-problem.ts';
import {errorResponseProblem, undecodable} from '../../../src/models/http/error-response.ts';
import {messageIn, messageLine, serverMessage} from '../../../src/models/http/server-message.ts';
import {KEY, NOW} from '../provider-fixture.ts';

const PEER: Peer = {provider: 'acme', wireModel: 'large', baseUrl: 'https://acme.test/v1', key: KEY, keyVariable: 'ACME_API_KEY'};

function judge(status: number, body: unknown, headers = {}) {
  return errorResponseProblem({status, headers, body: typeof body === 'string' ? body : JSON.stringify(body)}, PEER, NOW);
}

describe('refused', () => {
  it.each([401, 403])('%i is AUTH, names the variable, and is not sent again', (status) => {
    expect(judge(status, {error: {message: `Incorrect API key provided: ${KEY}.`}})).toEqual({
      failure: {
        code: 'AUTH',
        message: `acme did not accept the key (${status}): Incorrect API key provided: [key].`,
        hint: 'Set ACME_API_KEY to a valid key.',
        status,
      },
      retryable: false,
      askedMs: undefined,
    });
  });

  it.each([
    [403, 'You are not allowed to request logprobs from this model.'],
    [400, "Unsupported parameter: 'logprobs' is not supported with this model."],
    [400, 'Logprobs is not enabled for models/gemini-3.8-flash'],
  ])('%i of a model without log probabilities names the setting: %s', (status, message) => {
    expect(judge(status, {error: {message}}).failure).toEqual({
      code: 'BAD_ARGS',
      message: `acme does not tell log probabilities for this model (${status}): ${message}`,
      hint: 'Set `logprobs = false` in the configuration, or use another model.',
      status,
    });
  });

  it('401 of a provider without a variable says where to name one', () => {
    const {failure} = errorResponseProblem({status: 401, headers: {}, body: ''}, {...PEER, keyVariable: undefined}, NOW);
    expect(failure.hint).toBe('Name the environment variable with the key as `api_key_env` of this provider in the configuration.');
  });

  it.each([400, 405, 422])('%i is BAD_ARGS with the words of the server', (status) => {
    const {failure, retryable} = judge(status, {error: {message: "Unknown parameter: 'foo'.", type: 'invalid_request_error'}});
    expect({failure, retryable}).toEqual({
      failure: {
        code: 'BAD_ARGS',
        message: `acme did not accept the request (${status}): Unknown parameter: 'foo'.`,
        hint: 'Does the server use the wire format of its provider entry? `fettle models test` shows what it rejects.',
        status,
      },
      retryable: false,
    });
  });

  it.each([
    ['OpenAI', 404, {error: {message: 'The model `large` does not exist or you do not have access to it.', code: 'model_not_found'}}],
    ['OpenAI, by code', 400, {error: {message: 'Nope.', code: 'model_not_found'}}],
    ['Anthropic', 404, {type: 'error', error: {type: 'not_found_error', message: 'model: large'}}],
    ['Gemini', 404, {error: {code: 404, message: 'models/large is not found for API version v1beta', status: 'NOT_FOUND'}}],
    ['Ollama', 404, {error: 'model "large" not found, try pulling it first'}],
    ['OpenRouter', 400, {error: {message: 'large is not a valid model ID', code: 400}}],
    ['Mistral', 400, {object: 'error', message: 'Invalid model: large', type: 'invalid_model', code: '1500'}],
    ['a server without such an address', 404, 'Not Found'],
  ])('an unknown model is CONFIG: %s', (_name, status, body) => {
    expect(judge(status, body)).toMatchObject({
      failure: {code: 'CONFIG', status, hint: 'Check the name of the model and the base URL https://acme.test/v1.'},
      retryable: false,
    });
  });

  it.each([
    ['OpenAI, by code', 400, {error: {message: 'Too much.', code: 'context_length_exceeded'}}],
    ['OpenAI Responses', 400, {error: {message: 'Your input exceeds the context window of this model.'}}],
    [
      'vLLM',
      400,
      {object: 'error', message: "This model's maximum context length is 8192 tokens. However, you requested 9000.", code: 400},
    ],
    [
      'Anthropic',
      400,
      {type: 'error', error: {type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum'}},
    ],
    ['Anthropic, with max_tokens', 400, {error: {message: 'input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000'}}],
    ['Gemini', 400, {error: {message: 'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).'}}],
    ['Mistral', 400, {message: 'Prompt contains 300000 tokens and 0 draft tokens, too large for model with 262144 maximum context length'}],
    ['llama.cpp', 400, {error: {code: 400, message: 'the request exceeds the available context size', type: 'exceed_context_size_error'}}],
    ['LM Studio', 400, {error: 'Trying to keep the first 9000 tokens when context the overflows.'}],
    ['llama.cpp behind a 500', 500, {error: {message: 'the request exceeds the available context size. try increasing it'}}],
    ['any 413', 413, 'Request Entity Too Large'],
  ])('a conversation that does not fit is TOO_LARGE: %s', (_name, status, body) => {
    expect(judge(status, body)).toMatchObject({failure: {code: 'TOO_LARGE', status}, retryable: false});
  });

  it.each([
    [402, {error: {message: 'Insufficient credits'}}],
    [429, {error: {message: 'You exceeded your current quota', code: 'insufficient_quota'}}],
  ])('%i without money is PROVIDER and not worth waiting for', (status, body) => {
    expect(judge(status, body)).toMatchObject({
      failure: {code: 'PROVIDER', hint: 'Check the billing of the account.'},
      retryable: false,
    });
  });

  it('a redirect is CONFIG and names its target', () => {
    expect(judge(308, '', {location: 'https://new.test/v1/chat'}).failure).toEqual({
      code: 'CONFIG',
      message: 'acme redirects to https://new.test/v1/chat (308).',
      hint: 'Set the final address as base URL; it is https://acme.test/v1 now.',
      status: 308,
    });
  });
});

describe('what servers say', () => {
  it.each([
    ['text', 'try later', {text: 'try later', code: ''}],
    ['a web page', ' <html><body>502 Bad Gateway</body></html>', {text: '', code: ''}],
    ['OpenAI', '{"error":{"message":"m","type":"t","code":"c"}}', {text: 'm', code: 'c t'}],
    ['Gemini, as a list', '[{"error":{"message":"m","status":"S","code":400}}]', {text: 'm', code: '400 S'}],
    ['FastAPI', '{"detail":[{"loc":["body"],"msg":"field required","type":"missing"}]}', {text: 'field required', code: ''}],
    ['FastAPI, short', '{"detail":"Not authenticated"}', {text: 'Not authenticated', code: ''}],
    ['Ollama', '{"error":"model not found"}', {text: 'model not found', code: ''}],
    ['nothing', '{}', {text: '', code: ''}],
  ])('is found: %s', (_name, body, expected) => {
    expect(serverMessage(body)).toEqual(expected);
  });

  it('is one line of at most 500 characters, without key and without controls', () => {
    expect(messageLine(`a\r\n\u001b[31mred\u202egnp ${KEY}\u0000 end`, KEY)).toBe('a [31mred gnp [key] end');
    expect(messageLine('x'.repeat(1000), undefined)).toBe(`${'x'.repeat(499)}…`);
    expect(messageLine('text', '')).toBe('text');
  });

  it('may be nothing at all', () => {
    expect([messageIn(undefined), messageIn(null), messageIn([])]).toEqual(Array.from({length: 3}, () => ({text: '', code: ''})));
  });
});

describe('other problems', () => {
  it('a stream that reports an overflow is TOO_LARGE', () => {
    expect(undecodable({ok: false, message: 'context_length_exceeded: too long', retryable: true}, PEER, false)).toMatchObject({
      failure: {code: 'TOO_LARGE', message: 'acme: context_length_exceeded: too long'},
      retryable: false,
    });
  });

  it('a stream without a reply asks about the address', () => {
    const broken = {ok: false, message: 'The stream broke off.', retryable: true} as const;
    expect([undecodable(broken, PEER, true), undecodable(broken, PEER, false)].map(({failure}) => failure.hint)).toEqual([
      'Is the base URL https://acme.test/v1 right? Nothing of a reply came from there.',
      'Try again, or use another model.',
    ]);
  });

  it('a certificate that is not trusted is not tried again', () => {
    const error = Object.assign(new Error('self-signed certificate'), {code: 'DEPTH_ZERO_SELF_SIGNED_CERT'});
    expect(thrownProblem(error, PEER)).toEqual({
      failure: {
        code: 'PROVIDER',
        message: 'The connection to acme at https://acme.test/v1 failed: self-signed certificate',
        hint: 'The certificate is not trusted; for a private authority set NODE_EXTRA_CA_CERTS.',
      },
      retryable: false,
    });
  });

  it('a refused connection says what to look at, also when several addresses were tried', () => {
    const error = Object.assign(new AggregateError([], ''), {code: 'ECONNREFUSED'});
    expect(thrownProblem(error, PEER)).toEqual({
      failure: {
        code: 'PROVIDER',
        message: 'The connection to acme at https://acme.test/v1 failed: ECONNREFUSED',
        hint: 'Nothing listens at that address: is the server running, and is the base URL right?',
      },
      retryable: true,
    });
  });
});
