import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {text as readText} from 'node:stream/consumers';
import {isJsonObject, parseJson} from '../base/json.ts';
import {deliver} from './delivery.ts';
import type {ModelScript, ReceivedRequest, ScriptedAnswer, ScriptedStatus} from './scenario.ts';
import {chatWire} from './wire/chat.ts';
import {anthropicServerWire} from './wire/anthropic.ts';
import {geminiServerWire} from './wire/gemini.ts';
import {responsesServerWire} from './wire/responses.ts';
import {toServedReply, type ServerWire} from './wire/server-wire.ts';

export interface ModelServer {
  /** Base address without a path: `/v1` (both OpenAI formats), `/v1/messages` and `/v1beta` (Gemini) are below it. */
  readonly url: string;
  /** Every request that reached a wire format, also the wrong ones, in order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  /** Mistakes in requests: `request 2 (anthropic): messages.1: …`. A test ends by checking that this is empty. */
  readonly violations: readonly string[];
  /** Lets all streams go on that stalled, and those that would stall later. */
  release(): void;
  close(): Promise<void>;
}

/**
 * Starts a model server on a free port of 127.0.0.1 that answers with the steps of `script`, in four wire formats at once:
 * `POST /v1/chat/completions`, `/v1/responses` (and `/v1/responses/compact`), `/v1/messages`, `/v1beta/models/MODEL:streamGenerateContent`.
 * A request that its format does not allow gets status 400 and uses no step; one past the last step is such a request too.
 */
export async function startModelServer(script: ModelScript): Promise<ModelServer> {
  const requests: ReceivedRequest[] = [];
  const violations: string[] = [];
  const {promise: released, resolve: release} = Promise.withResolvers<void>();
  let steps = 0;

  async function nextAnswer(request: ReceivedRequest): Promise<ScriptedAnswer> {
    const step = script[steps];
    if (step === undefined) throw new Error(`the script has only ${script.length} steps`);
    steps += 1;
    return typeof step === 'function' ? step(request) : step;
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = incoming.url ?? '';
    const wire = incoming.method === 'POST' ? ROUTES.find(({pattern}) => pattern.test(path))?.wire : undefined;
    const body = parseJson(await readText(incoming));
    if (wire === undefined)
      return refuse(response, {status: 404, body: {error: {message: `No such endpoint: ${incoming.method} ${path}`}}});
    const request: ReceivedRequest = {format: wire.format, path, headers: incoming.headers, body: isJsonObject(body) ? body : {}};
    const serial = requests.push(request);
    const problems = isJsonObject(body) ? wire.problems(request) : ['the body is not a JSON object'];
    const answer = problems.length > 0 ? problems : await nextAnswer(request).catch((error: unknown) => [String(error)]);
    if (!isProblems(answer)) return await send({wire, answer, request, serial, released, response});
    violations.push(...answer.map((problem) => `request ${serial} (${wire.format}): ${problem}`));
    refuse(response, {status: 400, body: wire.error(400, answer.join('; '))});
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      violations.push(`the server failed: ${String(error)}`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The model server has no port.');

  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    violations,
    release,
    async close() {
      release();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const ROUTES: readonly {readonly pattern: RegExp; readonly wire: ServerWire}[] = [
  {pattern: /^\/v1\/chat\/completions$/, wire: chatWire},
  {pattern: /^\/v1\/responses(?:\/compact)?$/, wire: responsesServerWire},
  {pattern: /^\/v1\/messages$/, wire: anthropicServerWire},
  {pattern: /^\/v1beta\/models\/[^/:]+:streamGenerateContent\?alt=sse$/, wire: geminiServerWire},
];

interface Exchange {
  readonly wire: ServerWire;
  readonly answer: ScriptedAnswer;
  readonly request: ReceivedRequest;
  readonly serial: number;
  readonly released: Promise<void>;
  readonly response: ServerResponse;
}

async function send({wire, answer, request, serial, released, response}: Exchange): Promise<void> {
  if ('status' in answer) {
    refuse(response, {...answer, body: answer.body ?? wire.error(answer.status, `Scripted status ${answer.status}.`)});
    return;
  }
  const whole = 'garbage' in answer ? undefined : wire.whole?.(toServedReply(answer, serial), request);
  if (whole !== undefined) {
    refuse(response, {status: 200, body: whole});
    return;
  }
  response.writeHead(200, {'content-type': 'text/event-stream', 'cache-control': 'no-cache'});
  if ('garbage' in answer) response.end(answer.garbage);
  else await deliver(response, wire.events(toServedReply(answer, serial), request), {answer, released});
}

function isProblems(answer: ScriptedAnswer | readonly string[]): answer is readonly string[] {
  return Array.isArray(answer);
}

function refuse(response: ServerResponse, {status, body, headers}: ScriptedStatus): void {
  response.writeHead(status, {'content-type': 'application/json', ...headers});
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
