import {describe, expect, it} from 'vitest';
import {isContextOverflow, windowInRefusal} from '../../src/models/http/known-errors.ts';
import {OVERFLOW_WORDINGS} from '../../src/models/http/overflow.table.ts';
import {errorResponseProblem} from '../../src/models/http/error-response.ts';
import {serverMessage} from '../../src/models/http/server-message.ts';

const PEER = {provider: 'acme', wireModel: 'large', baseUrl: 'https://acme.test/v1', key: undefined, keyVariable: undefined};
const judge = (status: number, body: unknown) => errorResponseProblem({status, headers: {}, body: JSON.stringify(body)}, PEER, 0);

/** Provider, status, body, and the window that the text names. */
const OVERFLOWS: readonly (readonly [string, number, object, number | undefined])[] = [
  ['OpenAI, code', 400, {error: {message: 'Too much.', code: 'context_length_exceeded'}}, undefined],
  [
    'OpenAI Responses',
    400,
    {error: {message: 'Your input exceeds the context window of this model. Please adjust your input.'}},
    undefined,
  ],
  [
    'OpenAI',
    400,
    {error: {message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens."}},
    8192,
  ],
  [
    'Azure',
    400,
    {error: {message: "This model's maximum context length is 128,000 tokens, however you requested 130000 tokens."}},
    128_000,
  ],
  ['DeepSeek', 400, {error: {message: "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens"}}, 65_536],
  [
    'OpenRouter',
    400,
    {error: {message: "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens"}},
    131_072,
  ],
  [
    'OpenRouter, Poolside',
    400,
    {error: {message: 'Input length 131393 exceeds the maximum allowed input length of 131040 tokens.'}},
    131_040,
  ],
  ['Anthropic', 400, {error: {type: 'invalid_request_error', message: 'prompt is too long: 213462 tokens > 200000 maximum'}}, 200_000],
  [
    'Anthropic, max_tokens',
    400,
    {error: {message: 'input length and `max_tokens` exceed context limit: 200043 + 32000 > 204658'}},
    204_658,
  ],
  ['Anthropic, bytes', 413, {error: {type: 'request_too_large', message: 'Request exceeds the maximum size'}}, undefined],
  [
    'Gemini',
    400,
    {
      error: {
        message: 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
        status: 'INVALID_ARGUMENT',
      },
    },
    1_048_575,
  ],
  ['Vertex AI', 400, {error: {message: 'The input token count exceeds the maximum number of input tokens 32768.'}}, 32_768],
  [
    'Mistral',
    400,
    {message: 'Prompt contains 44021 tokens and 0 draft tokens, too large for model with 40960 maximum context length'},
    40_960,
  ],
  ['Ollama', 400, {error: 'the input length exceeds the context length'}, undefined],
  [
    'Ollama, OpenAI format',
    400,
    {error: {message: 'input length exceeds maximum context length', type: 'invalid_request_error'}},
    undefined,
  ],
  ['Ollama, cloud', 400, {error: 'prompt too long; exceeded max context length by 4 tokens'}, undefined],
  ['xAI', 400, {error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens."}, 131_072],
  ['Bedrock', 400, {message: 'Input is too long for requested model.'}, undefined],
  ['Bedrock, Converse', 400, {message: 'The model returned the following errors: Input is too long.'}, undefined],
  [
    'Bedrock, numbers',
    400,
    {message: 'The maximum number of input tokens: 128000, requested input tokens: 145032. Reduce the input.'},
    128_000,
  ],
  [
    'Bedrock, Nova',
    400,
    {message: 'Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input.'},
    undefined,
  ],
  [
    'Copilot',
    400,
    {error: {message: 'prompt token count of 150000 exceeds the limit of 128000', code: 'model_max_prompt_tokens_exceeded'}},
    128_000,
  ],
  ['Copilot, code', 400, {error: {message: 'Nope.', code: 'model_max_prompt_tokens_exceeded'}}, undefined],
  ['Together', 422, {error: {message: "The input (1000016 tokens) is longer than the model's context length (131072 tokens)."}}, 131_072],
  [
    'Together, sum',
    422,
    {error: {message: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000'}},
    4097,
  ],
  [
    'SGLang',
    400,
    {object: 'error', message: "The input (9001 tokens) is longer than the model's context length (8192 tokens).", code: 400},
    8192,
  ],
  [
    'SGLang, with the reply',
    400,
    {message: "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 9000 tokens"},
    8192,
  ],
  ['TGI', 422, {error: 'Input validation error: `inputs` must have less than 1024 tokens. Given: 2000', error_type: 'validation'}, 1024],
  [
    'TGI, with the reply',
    422,
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 2000 `inputs` tokens and 512 `max_new_tokens`',
    },
    2048,
  ],
  [
    'Kimi',
    400,
    {
      error: {
        message: 'Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)',
        type: 'invalid_request_error',
      },
    },
    262_144,
  ],
  ['Z.ai', 400, {error: {code: '1261', message: 'Prompt exceeds max length'}}, undefined],
  ['Z.ai, in Chinese', 400, {error: {code: '1261', message: 'Prompt 超长'}}, undefined],
  [
    'MiniMax',
    400,
    {type: 'error', error: {type: 'bad_request_error', message: 'invalid params, context window exceeds limit (2013)'}},
    undefined,
  ],
  [
    'Cohere',
    400,
    {message: 'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292. Try using a shorter prompt'},
    4081,
  ],
  [
    'Cohere, Chat',
    400,
    {message: 'too many tokens: size limit exceeded by 11326 tokens. The limit for this model is 288000 tokens.'},
    288_000,
  ],
  [
    'LiteLLM',
    400,
    {error: {message: 'litellm.ContextWindowExceededError: litellm.BadRequestError: AnthropicException - prompt is too long', code: '400'}},
    undefined,
  ],
  ['LiteLLM in front of vLLM', 400, {error: {message: "Input length (265330) exceeds model's maximum context length (262144)."}}, 262_144],
  ['Groq', 400, {error: {message: 'Please reduce the length of the messages or completion.', code: 'context_length_exceeded'}}, undefined],
  [
    'Cerebras',
    400,
    {
      message: 'Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192',
      code: 'context_length_exceeded',
    },
    8192,
  ],
  ['Fireworks', 400, {error: {message: 'The prompt is too long: 9000, model maximum context length: 8191'}}, 8191],
  ['vLLM', 400, {object: 'error', message: "This model's maximum context length is 2048 tokens. However, you requested 2100 tokens"}, 2048],
  [
    'vLLM, no room for the reply',
    400,
    {message: "'max_tokens' is too large: 4096. This model's maximum context length is 4096 tokens and your request has 500 input tokens"},
    4096,
  ],
  ['vLLM, engine', 500, {message: 'The decoder prompt (length 8357) is longer than the maximum model length of 8192.'}, 8192],
  [
    'vLLM, newer',
    400,
    {
      error: {
        message: "You passed 8193 input tokens and requested 0 output tokens. However, the model's context length is only 8192 tokens",
      },
    },
    8192,
  ],
  [
    'llama.cpp',
    400,
    {
      error: {
        code: 400,
        message: 'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it',
        type: 'exceed_context_size_error',
      },
    },
    8192,
  ],
  ['llama.cpp, during the reply', 500, {error: {message: 'Context size has been exceeded.', type: 'server_error'}}, undefined],
  [
    'LM Studio',
    400,
    {
      error:
        'Trying to keep the first 4180 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
    },
    4096,
  ],
  [
    'LM Studio, n_keep',
    400,
    {error: 'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 41859 >= n_ctx: 35072).'},
    35_072,
  ],
  ['Vertex AI, without numbers', 400, {error: {message: 'Input exceeds the maximum number of tokens.'}}, undefined],
  ['Ollama, runner', 500, {error: 'input is longer than the context'}, undefined],
  ['a local gateway', 400, {error: 'Prompt has 5000 tokens, but the configured context size is 4096 tokens'}, 4096],
  ['a gateway', 400, {error: {message: 'Nope.', code: 'context_window_exceeded'}}, undefined],
  ['a gateway, in words', 400, {error: {message: 'The request has too many tokens.'}}, undefined],
  ['DashScope', 400, {code: 'InvalidParameter', message: 'Range of input length should be [1, 129024]'}, 129_024],
];

/** Refusals that a shorter conversation does not cure. */
const OTHERS: readonly (readonly [string, number, object])[] = [
  [
    'OpenAI, tokens per minute',
    429,
    {error: {message: 'Request too large for gpt in organization on tokens per min (TPM): Limit 10000, Requested 12000.'}},
  ],
  [
    'OpenAI, tokens per minute with 400',
    400,
    {error: {message: 'Rate limit reached: tokens per min. Limit 90000', code: 'rate_limit_exceeded'}},
  ],
  [
    'Groq, 413',
    413,
    {
      error: {
        message: 'Request too large for model in organization on tokens per minute (TPM): Limit 6000, Requested 7500',
        code: 'rate_limit_exceeded',
      },
    },
  ],
  [
    'Anthropic, rate',
    429,
    {error: {type: 'rate_limit_error', message: 'This request would exceed the rate limit of 40,000 input tokens per minute.'}},
  ],
  ['Bedrock, throttling', 400, {message: 'ThrottlingException: Too many tokens, please wait before trying again.'}],
  ['Bedrock, per day', 400, {message: 'Too many tokens per day, please wait before trying again.'}],
  [
    'OpenAI, quota',
    429,
    {error: {message: 'You exceeded your current quota, please check your plan and billing details.', code: 'insufficient_quota'}},
  ],
  ['Gemini, quota', 400, {error: {message: 'Quota exceeded for metric: generate_content_free_tier_input_token_count, limit: 250000'}}],
  [
    'OpenAI, output',
    400,
    {
      error: {
        message: 'max_tokens is too large: 200000. This model supports at most 16384 completion tokens, whereas you provided 200000.',
      },
    },
  ],
  [
    'Anthropic, output',
    400,
    {error: {message: 'max_tokens: 300000 > 128000, which is the maximum allowed number of output tokens for claude'}},
  ],
  [
    'Cohere, output',
    400,
    {message: 'too many tokens: max tokens must be less than or equal to 4096, the maximum output for this model - received 8192.'},
  ],
  ['Together, output', 400, {error: {message: 'max_new_tokens must be at most 4096'}}],
  [
    'Anthropic, image',
    400,
    {error: {message: 'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes'}},
  ],
  ['Anthropic, image size', 400, {error: {message: 'image dimensions exceed max allowed size: 8000 pixels'}}],
  ['Anthropic, image with 413', 413, {error: {message: 'The image is too large.'}}],
  ['Gemini, file', 400, {error: {message: 'The document has too many pages: the maximum is 1000.'}}],
  [
    'OpenAI, one field',
    400,
    {
      error: {
        message: "Invalid 'messages[3].tool_call_id': string too long. Expected a string with maximum length 40",
        code: 'string_above_max_length',
      },
    },
  ],
  [
    'OpenAI, tools',
    400,
    {error: {message: "Invalid 'tools': array too long. Expected an array with maximum length 128", code: 'array_above_max_length'}},
  ],
  ['OpenAI, description', 400, {error: {message: "Invalid 'tools[0].function.description': string too long. Expected at most 1024"}}],
  ['Kimi, rate', 429, {error: {message: 'Your account reached max tokens per minute: 32000', type: 'rate_limit_reached_error'}}],
  ['Z.ai, rate', 429, {error: {code: '1302', message: 'Rate limit reached for requests'}}],
  ['MiniMax, rate', 400, {base_resp: {status_code: 1039, status_msg: 'rate limit: TPM'}}],
  ['Copilot, rate', 429, {error: {message: 'Sorry, you have exceeded your rate limits', code: 'rate_limited'}}],
  ['a wrong parameter', 400, {error: {message: "Unknown parameter: 'context'."}}],
  ['a proxy that timed out', 504, {error: {message: 'upstream request timeout'}}],
  ['thinking budget', 400, {error: {message: '`max_tokens` must be greater than `thinking.budget_tokens`'}}],
  ['the question of a person in the text', 400, {error: {message: 'The model does not support context caching'}}],
];

describe('a refusal for the length of the conversation (issue 14, 4)', () => {
  it.each(OVERFLOWS)('%s', (_provider, status, body, window) => {
    const {failure, retryable} = judge(status, body);
    expect({code: failure.code, window: failure.windowTokens, retryable}).toEqual({code: 'TOO_LARGE', window, retryable: false});
  });

  it.each(OTHERS)('is not: %s', (_provider, status, body) => {
    const said = serverMessage(JSON.stringify(body));
    expect([judge(status, body).failure.code, isContextOverflow(said), windowInRefusal(said)]).toEqual([
      expect.not.stringMatching(/^TOO_LARGE$/),
      false,
      undefined,
    ]);
  });

  it('each wording of the table has a case', () => {
    const texts = OVERFLOWS.map(([, , body]) => serverMessage(JSON.stringify(body))).flatMap(({text, code}) => [text, code]);
    const unproved = OVERFLOW_WORDINGS.filter(({wording}) => !texts.some((text) => wording.test(text)));
    expect(unproved.map(({provider, source}) => `${provider}: ${source}`)).toEqual([]);
  });

  it.each(['0', '12', '999999999999'])('a window of %s tokens is not believed', (tokens) => {
    expect(windowInRefusal({code: '', text: `This model's maximum context length is ${tokens} tokens.`})).toBeUndefined();
  });
});
