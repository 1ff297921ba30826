import {describe, expect, it, onTestFinished} from 'vitest';
import {startModelServer, type ModelScript, type ModelServer, type ScriptedReply} from '../../src/testing/index.ts';

async function start(script: ModelScript): Promise<ModelServer> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  return server;
}

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {method: 'POST', headers: {'content-type': 'application/json', ...headers}, body: JSON.stringify(body)});
}

const CHAT = {model: 'm', stream: true, messages: [{role: 'user', content: 'hi'}]};
const ENDPOINTS = {
  'openai-chat': {path: '/v1/chat/completions', body: {...CHAT, stream_options: {include_usage: true}}},
  'openai-responses': {path: '/v1/responses', body: {model: 'm', stream: true, store: false, input: [{role: 'user', content: 'hi'}]}},
  anthropic: {path: '/v1/messages', body: {...CHAT, max_tokens: 100}},
  gemini: {path: '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse', body: {contents: [{role: 'user', parts: [{text: 'hi'}]}]}},
};

async function streamOf(format: keyof typeof ENDPOINTS, reply: ScriptedReply): Promise<string> {
  const server = await start([reply]);
  const {path, body} = ENDPOINTS[format];
  const response = await post(server.url + path, body, {'anthropic-version': '2023-06-01'});
  expect([response.status, response.headers.get('content-type'), server.violations]).toEqual([200, 'text/event-stream', []]);
  return response.text();
}

const REPLY: ScriptedReply = {
  reasoning: 'Hm.',
  text: 'I look.',
  toolCalls: [{name: 'read', arguments: {path: 'a'}}, {name: 'status'}],
  usage: {cached_input_tokens: 60, reasoning_tokens: 5},
};

describe('the stream of a reply', () => {
  it('in Chat Completions: role, deltas, finish reason, usage in a chunk without choices, [DONE]', async () => {
    expect(await streamOf('openai-chat', REPLY)).toMatchInlineSnapshot(`
      "data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1790000000,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}],"usage":null}

      data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1790000000,"model":"m","choices":[{"index":0,"delta":{"reasoning_content":"Hm."},"logprobs":null,"finish_reason":null}],"usage":null}

      data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1790000000,"model":"m","choices":[{"index":0,"delta":{"content":"I"},"logprobs":null,"finish_reason":null}],"usage":null}

      data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1790000000,"model":"m","choices":[{"index":0,"delta":{"content":" look."},"logprobs":null,"finish_reason":null}],"usage":null}

      data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1790000000,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_1_1","type":"function","function":{"name":"read","arguments":""}}]},"logprobs":null,"finish_reason":null}],"usage":null}

      data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1790000000,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"path\\":\\"a\\"}"}}]},"logprobs":null,"finish_reason":null}],"usage":null}

      data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1790000000,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_1_2","type":"function","function":{"name":"status","arguments":""}}]},"logprobs":null,"finish_reason":null}],"usage":null}

      data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1790000000,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]},"logprobs":null,"finish_reason":null}],"usage":null}

      data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1790000000,"model":"m","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"tool_calls"}],"usage":null}

      data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1790000000,"model":"m","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":20,"total_tokens":120,"prompt_tokens_details":{"cached_tokens":60,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":5,"audio_tokens":0}}}

      data: [DONE]

      "
    `);
  });

  it('in Responses: added, parts, deltas, done for each item, with rising sequence numbers', async () => {
    const text = await streamOf('openai-responses', REPLY);
    const events = text.split('\n\n').filter((event) => event.includes('event: '));
    const brief = events.map((event) => {
      const {response, ...data} = JSON.parse(event.slice(event.indexOf('data: ') + 6));
      return JSON.stringify(
        response === undefined ? data : {...data, status: response.status, output: response.output.length, usage: response.usage},
      );
    });
    expect(brief).toMatchInlineSnapshot(`
      [
        "{"type":"response.created","sequence_number":0,"status":"in_progress","output":0,"usage":null}",
        "{"type":"response.in_progress","sequence_number":1,"status":"in_progress","output":0,"usage":null}",
        "{"type":"response.output_item.added","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[]},"sequence_number":2}",
        "{"type":"response.reasoning_summary_part.added","item_id":"rs_1","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""},"sequence_number":3}",
        "{"type":"response.reasoning_summary_text.delta","item_id":"rs_1","output_index":0,"summary_index":0,"delta":"Hm.","sequence_number":4}",
        "{"type":"response.reasoning_summary_text.done","item_id":"rs_1","output_index":0,"summary_index":0,"text":"Hm.","sequence_number":5}",
        "{"type":"response.reasoning_summary_part.done","item_id":"rs_1","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":"Hm."},"sequence_number":6}",
        "{"type":"response.output_item.done","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"Hm."}]},"sequence_number":7}",
        "{"type":"response.output_item.added","output_index":1,"item":{"id":"msg_1","type":"message","status":"in_progress","role":"assistant","content":[]},"sequence_number":8}",
        "{"type":"response.content_part.added","item_id":"msg_1","output_index":1,"content_index":0,"part":{"type":"output_text","text":"","annotations":[],"logprobs":[]},"sequence_number":9}",
        "{"type":"response.output_text.delta","item_id":"msg_1","output_index":1,"content_index":0,"delta":"I","logprobs":[],"sequence_number":10}",
        "{"type":"response.output_text.delta","item_id":"msg_1","output_index":1,"content_index":0,"delta":" look.","logprobs":[],"sequence_number":11}",
        "{"type":"response.output_text.done","item_id":"msg_1","output_index":1,"content_index":0,"text":"I look.","logprobs":[],"sequence_number":12}",
        "{"type":"response.content_part.done","item_id":"msg_1","output_index":1,"content_index":0,"part":{"type":"output_text","text":"I look.","annotations":[],"logprobs":[]},"sequence_number":13}",
        "{"type":"response.output_item.done","output_index":1,"item":{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","text":"I look.","annotations":[],"logprobs":[]}]},"sequence_number":14}",
        "{"type":"response.output_item.added","output_index":2,"item":{"id":"fc_1_1","type":"function_call","status":"in_progress","call_id":"call_1_1","name":"read","arguments":""},"sequence_number":15}",
        "{"type":"response.function_call_arguments.delta","item_id":"fc_1_1","output_index":2,"delta":"{\\"path\\":\\"a\\"}","sequence_number":16}",
        "{"type":"response.function_call_arguments.done","item_id":"fc_1_1","output_index":2,"arguments":"{\\"path\\":\\"a\\"}","sequence_number":17}",
        "{"type":"response.output_item.done","output_index":2,"item":{"id":"fc_1_1","type":"function_call","status":"completed","call_id":"call_1_1","name":"read","arguments":"{\\"path\\":\\"a\\"}"},"sequence_number":18}",
        "{"type":"response.output_item.added","output_index":3,"item":{"id":"fc_1_2","type":"function_call","status":"in_progress","call_id":"call_1_2","name":"status","arguments":""},"sequence_number":19}",
        "{"type":"response.function_call_arguments.delta","item_id":"fc_1_2","output_index":3,"delta":"{}","sequence_number":20}",
        "{"type":"response.function_call_arguments.done","item_id":"fc_1_2","output_index":3,"arguments":"{}","sequence_number":21}",
        "{"type":"response.output_item.done","output_index":3,"item":{"id":"fc_1_2","type":"function_call","status":"completed","call_id":"call_1_2","name":"status","arguments":"{}"},"sequence_number":22}",
        "{"type":"response.completed","sequence_number":23,"status":"completed","output":4,"usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":60},"output_tokens":20,"output_tokens_details":{"reasoning_tokens":5},"total_tokens":120}}",
      ]
    `);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('in Responses: a response has every key that Open Responses 2026-04-24 requires', async () => {
    const text = await streamOf('openai-responses', {text: 'Hi'});
    const created = JSON.parse(/data: (.*response\.created.*)/.exec(text)?.[1] ?? '');
    expect(Object.keys(created.response).sort()).toMatchInlineSnapshot(`
      [
        "background",
        "completed_at",
        "created_at",
        "error",
        "frequency_penalty",
        "id",
        "incomplete_details",
        "instructions",
        "max_output_tokens",
        "max_tool_calls",
        "metadata",
        "model",
        "object",
        "output",
        "parallel_tool_calls",
        "presence_penalty",
        "previous_response_id",
        "prompt_cache_key",
        "reasoning",
        "safety_identifier",
        "service_tier",
        "status",
        "store",
        "temperature",
        "text",
        "tool_choice",
        "tools",
        "top_logprobs",
        "top_p",
        "truncation",
        "usage",
      ]
    `);
  });

  it('in Messages: blocks with start, deltas and stop; cumulative usage without what the cache read', async () => {
    expect(await streamOf('anthropic', REPLY)).toMatchInlineSnapshot(`
      "event: message_start
      data: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":40,"cache_creation_input_tokens":0,"cache_read_input_tokens":60,"output_tokens":1,"service_tier":"standard"}}}

      event: ping
      data: {"type":"ping"}

      event: content_block_start
      data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

      event: content_block_delta
      data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm."}}

      event: content_block_delta
      data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"jppS8Dtuf1VUv9dHh1bgOyyevhc2JjJG64HO2Ss+wso="}}

      event: content_block_stop
      data: {"type":"content_block_stop","index":0}

      event: content_block_start
      data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

      event: content_block_delta
      data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"I"}}

      event: content_block_delta
      data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":" look."}}

      event: content_block_stop
      data: {"type":"content_block_stop","index":1}

      event: content_block_start
      data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_1_1","name":"read","input":{}}}

      event: content_block_delta
      data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}

      event: content_block_delta
      data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\\"path\\":\\"a\\"}"}}

      event: content_block_stop
      data: {"type":"content_block_stop","index":2}

      event: content_block_start
      data: {"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"toolu_1_2","name":"status","input":{}}}

      event: content_block_delta
      data: {"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":""}}

      event: content_block_stop
      data: {"type":"content_block_stop","index":3}

      event: message_delta
      data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"input_tokens":40,"cache_creation_input_tokens":0,"cache_read_input_tokens":60,"output_tokens":20,"output_tokens_details":{"thinking_tokens":5}}}

      event: message_stop
      data: {"type":"message_stop"}

      "
    `);
  });

  it('in Gemini: parts in chunks, the signature on the first call, the usage in every chunk', async () => {
    expect((await streamOf('gemini', REPLY)).replaceAll('\r\n', '␍␊\n')).toMatchInlineSnapshot(`
      "data: {"candidates":[{"content":{"parts":[{"text":"Hm.","thought":true}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":15,"totalTokenCount":120,"cachedContentTokenCount":60,"thoughtsTokenCount":5,"promptTokensDetails":[{"modality":"TEXT","tokenCount":100}]},"modelVersion":"gemini-3-pro","responseId":"resp1"}␍␊
      ␍␊
      data: {"candidates":[{"content":{"parts":[{"text":"I"}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":15,"totalTokenCount":120,"cachedContentTokenCount":60,"thoughtsTokenCount":5,"promptTokensDetails":[{"modality":"TEXT","tokenCount":100}]},"modelVersion":"gemini-3-pro","responseId":"resp1"}␍␊
      ␍␊
      data: {"candidates":[{"content":{"parts":[{"text":" look."}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":15,"totalTokenCount":120,"cachedContentTokenCount":60,"thoughtsTokenCount":5,"promptTokensDetails":[{"modality":"TEXT","tokenCount":100}]},"modelVersion":"gemini-3-pro","responseId":"resp1"}␍␊
      ␍␊
      data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"read","args":{"path":"a"}},"thoughtSignature":"OCFMpRCg8dXSfDJ81ylPlxroakIaxM5+U15oI541ozk="}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":15,"totalTokenCount":120,"cachedContentTokenCount":60,"thoughtsTokenCount":5,"promptTokensDetails":[{"modality":"TEXT","tokenCount":100}]},"modelVersion":"gemini-3-pro","responseId":"resp1"}␍␊
      ␍␊
      data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"status","args":{}}}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":15,"totalTokenCount":120,"cachedContentTokenCount":60,"thoughtsTokenCount":5,"promptTokensDetails":[{"modality":"TEXT","tokenCount":100}]},"modelVersion":"gemini-3-pro","responseId":"resp1"}␍␊
      ␍␊
      data: {"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":15,"totalTokenCount":120,"cachedContentTokenCount":60,"thoughtsTokenCount":5,"promptTokensDetails":[{"modality":"TEXT","tokenCount":100}]},"modelVersion":"gemini-3-pro","responseId":"resp1"}␍␊
      ␍␊
      "
    `);
  });

  it('in Gemini: arguments that are not JSON object are a malformed call, as the real server says it', async () => {
    expect(await streamOf('gemini', {toolCalls: [{name: 'read', arguments: '{"pa'}]})).toContain(
      '"finishReason":"MALFORMED_FUNCTION_CALL"',
    );
  });

  it('keeps raw arguments and given ids in the other formats', async () => {
    for (const format of ['openai-chat', 'openai-responses', 'anthropic'] as const) {
      const text = await streamOf(format, {toolCalls: [{name: 'read', arguments: '{"pa', id: 'mine'}]});
      expect([text.includes('"mine"'), text.includes('{\\"pa')]).toEqual([true, true]);
    }
  });
});

describe('the faults of a scenario', () => {
  const endpoint = ENDPOINTS.anthropic;
  const headers = {'anthropic-version': '2023-06-01'};

  it('answers a status with body and headers, or with the error shape of the format', async () => {
    const server = await start([
      {status: 429, headers: {'retry-after': '7'}, body: {error: 'slow'}},
      {status: 529},
      {status: 500, body: 'oh'},
    ]);
    const first = await post(server.url + endpoint.path, endpoint.body, headers);
    expect([first.status, first.headers.get('retry-after'), await first.json()]).toEqual([429, '7', {error: 'slow'}]);
    const second = await post(server.url + endpoint.path, endpoint.body, headers);
    expect([second.status, await second.json()]).toEqual([
      529,
      {type: 'error', error: {type: 'overloaded_error', message: 'Scripted status 529.'}, request_id: 'req_01'},
    ]);
    expect(await (await post(server.url + endpoint.path, endpoint.body, headers)).text()).toBe('oh');
    expect(server.violations).toEqual([]);
  });

  it('sends garbage as it is', async () => {
    const server = await start([{garbage: '<html>502</html>'}]);
    const response = await post(server.url + endpoint.path, endpoint.body, headers);
    expect([response.status, await response.text()]).toEqual([200, '<html>502</html>']);
  });

  it('cuts the connection in the middle of a stream', async () => {
    const server = await start([{text: 'one two three', halfStream: true}]);
    const response = await post(server.url + endpoint.path, endpoint.body, headers);
    await expect(response.text()).rejects.toThrow();
  });

  it('falls silent after so many events until it is released', async () => {
    const server = await start([{text: 'one two', stallAfter: 4}]);
    const {body} = await post(server.url + endpoint.path, endpoint.body, headers);
    if (body === null) throw new Error('no body');
    let text = '';
    for await (const bytes of body.values({preventCancel: true})) {
      text += Buffer.from(bytes).toString();
      if (text.includes('"one"')) break;
    }
    expect(text.match(/event: \S+/g)).toEqual([
      'event: message_start',
      'event: ping',
      'event: content_block_start',
      'event: content_block_delta',
    ]);
    server.release();
    for await (const bytes of body) text += Buffer.from(bytes).toString();
    expect(text).toContain('event: message_stop');
  });

  it('goes on when a client goes away', async () => {
    const server = await start([{text: 'one two', stallAfter: 1}, {text: 'next'}]);
    const controller = new AbortController();
    const response = await fetch(server.url + endpoint.path, {
      method: 'POST',
      headers,
      body: JSON.stringify(endpoint.body),
      signal: controller.signal,
    });
    controller.abort();
    await expect(response.text()).rejects.toThrow();
    server.release();
    expect(await (await post(server.url + endpoint.path, endpoint.body, headers)).text()).toContain('next');
    expect(server.violations).toEqual([]);
  });

  it('closes while a stream is stalled', async () => {
    const server = await startModelServer([{text: 'one', stallAfter: 1}]);
    const response = await post(server.url + endpoint.path, endpoint.body, headers);
    await server.close();
    await response.text().catch(() => undefined);
    await expect(post(server.url + endpoint.path, endpoint.body)).rejects.toThrow();
  });

  it('writes pieces of so many bytes, which make the same stream', async () => {
    expect(await streamOf('anthropic', {text: 'grün 👀', chunkBytes: 1})).toBe(await streamOf('anthropic', {text: 'grün 👀'}));
  });
});

describe('a script', () => {
  const {path, body} = ENDPOINTS['openai-chat'];

  it('may compute an answer from the request, and assert', async () => {
    const server = await start([
      ({body: received, format}) => ({text: `${format}: ${JSON.stringify(received['messages'])}`}),
      () => {
        throw new Error('expected a tool result');
      },
      {text: 'next'},
    ]);
    const words = JSON.stringify(JSON.stringify(body.messages)).slice(1, -1).split(' ');
    const first = await (await post(server.url + path, body)).text();
    expect(words.every((word) => first.includes(word))).toBe(true);
    const second = await post(server.url + path, body);
    expect([second.status, await second.json()]).toEqual([
      400,
      {error: {message: 'Error: expected a tool result', type: 'invalid_request_error', param: null, code: null}},
    ]);
    expect(await (await post(server.url + path, body)).text()).toContain('next');
    expect(server.violations).toEqual(['request 2 (openai-chat): Error: expected a tool result']);
  });

  it('that is over is a violation', async () => {
    const server = await start([]);
    expect((await post(server.url + path, body)).status).toBe(400);
    expect(server.violations).toEqual(['request 1 (openai-chat): Error: the script has only 0 steps']);
  });

  it('keeps every request, and answers other addresses with 404', async () => {
    const server = await start([{text: 'a'}]);
    await (await post(server.url + path, body, {'x-test': 'yes'})).text();
    expect(server.requests).toEqual([{format: 'openai-chat', path, headers: expect.objectContaining({'x-test': 'yes'}), body}]);
    expect((await post(`${server.url}/v1/embeddings`, body)).status).toBe(404);
    expect((await fetch(server.url + path)).status).toBe(404);
    expect([server.requests.length, server.violations]).toEqual([1, []]);
  });
});
