import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {loadSettings} from '../../../src/sdk/settings/load-settings.ts';
import {openThread} from '../../../src/sdk/thread/open-thread.ts';
import {scratch} from '../../support/scratch.ts';
import {plain, receiver} from './receiver.ts';

const NEVER = new AbortController().signal;
const SECRET_TEXT = 'the-blue-elephant';

/** A run of two requests and two calls, one of which fails; what came up late. */
async function run(config: string, env: Readonly<Record<string, string>> = {}) {
  const replies = [
    {
      toolCalls: [
        {name: 'read', arguments: {path: 'a.txt'}},
        {name: 'read', arguments: {path: `${SECRET_TEXT}.txt`}},
      ],
    },
    {text: `It says ${SECRET_TEXT}.`},
  ];
  const home = await scratch({'script.json': JSON.stringify({replies}), 'config.toml': config});
  const work = await scratch({'a.txt': `${SECRET_TEXT}\n`});
  const given = {FETTLE_HOME: home, PATH: process.env['PATH'] ?? '', ...env};
  const session = await loadSettings({cwd: work, env: given, home, flags: {'--model': `script:${join(home, 'script.json')}`}});
  const thread = await openThread({session}, NEVER);
  const result = await thread.run(`What of ${SECRET_TEXT}?`, NEVER);
  await thread.close(result);
  return {id: thread.id, outcome: result.outcome, notes: thread.notes, late: thread.lateNotes()};
}

describe('OpenTelemetry (GenAI semantic conventions, OTLP over HTTP)', () => {
  it('spans of a turn, its requests and its calls; nothing of what was said or done is in them', async () => {
    const to = await receiver();
    const {id, late} = await run(`[traces]\notlp_endpoint = "${to.url}/"\n`);
    expect(late).toEqual([]);
    expect(to.requests.map(({path, headers}) => [path, headers['content-type']])).toEqual([['/v1/traces', 'application/json']]);
    const [agent] = to.spans().filter(({name}) => name === 'invoke_agent fettle');
    expect(
      to
        .spans()
        .map(({name, kind, parentSpanId, status, traceId}) => [
          name,
          kind,
          parentSpanId === agent?.spanId,
          status.code,
          traceId === agent?.traceId,
        ]),
    ).toEqual([
      ['chat script', 3, true, undefined, true],
      ['execute_tool read', 1, true, undefined, true],
      ['execute_tool read', 1, true, 2, true],
      ['chat script', 3, true, undefined, true],
      ['invoke_agent fettle', 1, false, undefined, true],
    ]);
    const [chat, tool, failed] = to.spans().map(({attributes}) => plain(attributes));
    expect(chat).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'fettle',
      'gen_ai.request.model': 'script',
      'gen_ai.conversation.id': id,
      'gen_ai.response.finish_reasons': {values: [{stringValue: 'tool_call'}]},
      'gen_ai.usage.input_tokens': expect.stringMatching(/^\d+$/),
      'gen_ai.usage.output_tokens': expect.stringMatching(/^\d+$/),
      'gen_ai.usage.cache_read.input_tokens': '0',
      'gen_ai.usage.cache_creation.input_tokens': '0',
      'gen_ai.usage.reasoning.output_tokens': '0',
      'fettle.retries': '0',
      'fettle.cost_usd': '0',
    });
    expect(tool).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'read',
      'gen_ai.tool.call.id': expect.any(String),
      'gen_ai.tool.type': 'function',
    });
    expect(failed?.['error.type']).toBe('error');
    for (const {startTimeUnixNano: start, endTimeUnixNano: end} of to.spans()) expect(BigInt(start) <= BigInt(end)).toBe(true);
    expect(JSON.stringify(to.requests)).not.toContain(SECRET_TEXT);
    expect(plain(to.requests[0]?.body.resourceSpans[0]?.resource.attributes ?? [])).toMatchObject({'service.name': 'fettle'});
  });

  it('content = true: messages by the schemas of the conventions, arguments and results', async () => {
    const to = await receiver();
    await run(`[traces]\notlp_endpoint = "${to.url}"\ncontent = true\n`);
    const [first, tool, , second] = to.spans().map(({attributes}) => plain(attributes));
    const messages = (attributes: Readonly<Record<string, unknown>> | undefined, which: string): unknown =>
      JSON.parse(attributes?.[`gen_ai.${which}.messages`] as string);
    expect(messages(first, 'input')).toEqual([{role: 'user', parts: [{type: 'text', content: `What of ${SECRET_TEXT}?`}]}]);
    expect(messages(first, 'output')).toMatchObject([
      {
        role: 'assistant',
        finish_reason: 'tool_call',
        parts: [{type: 'tool_call', name: 'read', arguments: {path: 'a.txt'}}, {type: 'tool_call'}],
      },
    ]);
    expect((messages(second, 'input') as {role: string}[]).map(({role}) => role)).toEqual(['user', 'assistant', 'tool']);
    expect(messages(second, 'output')).toEqual([
      {role: 'assistant', finish_reason: 'stop', parts: [{type: 'text', content: `It says ${SECRET_TEXT}.`}]},
    ]);
    expect(tool).toMatchObject({
      'gen_ai.tool.call.arguments': '{"path":"a.txt"}',
      'gen_ai.tool.call.result': expect.stringContaining(SECRET_TEXT),
    });
  });

  it('the variables of OpenTelemetry: endpoint, headers, name, parent (OTLP exporter specification; W3C Trace Context)', async () => {
    const to = await receiver();
    const {late} = await run('', {
      OTEL_EXPORTER_OTLP_ENDPOINT: to.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abcdef123456,x-team=tools',
      OTEL_SERVICE_NAME: 'nightly',
      TRACEPARENT: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    const [sent] = to.requests;
    const {body} = sent ?? {};
    expect([sent?.path, sent?.headers['authorization'], sent?.headers['x-team'], late]).toEqual([
      '/v1/traces',
      'Bearer abcdef123456',
      'tools',
      [],
    ]);
    expect(plain(body?.resourceSpans[0]?.resource.attributes ?? [])['service.name']).toBe('nightly');
    const agent = to.spans().find(({name}) => name === 'invoke_agent fettle');
    expect([agent?.traceId, agent?.parentSpanId]).toEqual(['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']);
  });

  it.each([
    ['OTEL_SDK_DISABLED', 'true'],
    ['OTEL_TRACES_EXPORTER', 'none'],
  ])('%s=%s: nothing is sent', async (name, value) => {
    const to = await receiver();
    await run(`[traces]\notlp_endpoint = "${to.url}"\n`, {[name]: value});
    expect(to.requests).toEqual([]);
  });

  it('OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf: the binary form, also to the receiver that the configuration names', async () => {
    const to = await receiver();
    const {notes, late} = await run(`[traces]\notlp_endpoint = "${to.url}"\n`, {OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf'});
    expect([notes.filter((note) => note.includes('Traces')), late]).toEqual([[], []]);
    expect(to.requests.map(({path, headers}) => [path, headers['content-type']])).toEqual([['/v1/traces', 'application/x-protobuf']]);
    expect(to.spans().map(({name}) => name)).toEqual([
      'chat script',
      'execute_tool read',
      'execute_tool read',
      'chat script',
      'invoke_agent fettle',
    ]);
  });

  it('a protocol that nobody knows: JSON is sent, which is said', async () => {
    const to = await receiver();
    const {notes, late} = await run('', {OTEL_EXPORTER_OTLP_ENDPOINT: to.url, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/thrift'});
    expect([notes.filter((note) => note.includes('Traces')), late, to.spans().length]).toEqual([
      ['Traces are sent as http/json: Fettle does not speak the protocol "http/thrift" that the variables of OpenTelemetry name.'],
      [],
      5,
    ]);
  });

  it('grpc cannot be spoken, which is said', async () => {
    const {notes, outcome} = await run('', {OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc'});
    expect([outcome, notes.filter((note) => note.includes('traces'))]).toEqual([
      'success',
      ['No traces are sent to the receiver that the variables of OpenTelemetry name: it speaks grpc, and Fettle only HTTP.'],
    ]);
  });

  it('a receiver that refuses, or is not there, costs nothing but a note', async () => {
    const to = await receiver({statuses: [400]});
    expect(await run(`[traces]\notlp_endpoint = "${to.url}"\n`)).toMatchObject({
      outcome: 'success',
      late: [`5 spans were not delivered to ${new URL(to.url).host}: HTTP 400.`],
    });
    const none = await run('[traces]\notlp_endpoint = "http://127.0.0.1:9"\n');
    expect(none.outcome).toBe('success');
    expect(none.late).toEqual([expect.stringMatching(/^5 spans were not delivered to 127\.0\.0\.1:9: .+/)]);
  });
});
