import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';

/** A model that answers at once with the calls of a plan, one a turn, then with a text. Speaks Chat Completions. */
export interface InstantModel {
  readonly baseUrl: string;
  /** Begins a new run. */
  reset(plan: readonly PlannedCall[]): void;
  /** Times of the requests of this run: when each had arrived whole, and when its answer was written. */
  readonly requests: readonly {readonly arrivedAt: number; readonly answeredAt: number}[];
  close(): Promise<void>;
}

export interface PlannedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string | number>>;
}

export async function startInstantModel(): Promise<InstantModel> {
  let plan: readonly PlannedCall[] = [];
  let requests: {arrivedAt: number; answeredAt: number}[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      // Questions about the window of the model are not request to it.
      if (request.url?.endsWith('/chat/completions') !== true) return void response.writeHead(404).end();
      const arrivedAt = performance.now();
      const call = plan[requests.length];
      response.writeHead(200, {'content-type': 'text/event-stream'});
      response.end(call === undefined ? textAnswer() : callAnswer(call, requests.length));
      requests.push({arrivedAt, answeredAt: performance.now()});
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    reset(next) {
      plan = next;
      requests = [];
    },
    get requests() {
      return requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function textAnswer(): string {
  return stream([{delta: {role: 'assistant', content: 'Done.'}}, {delta: {}, finish_reason: 'stop'}]);
}

function callAnswer(call: PlannedCall, index: number): string {
  const invocation = {index: 0, id: `call_${index}`, type: 'function', function: {name: call.name, arguments: ''}};
  const argumentsPart = {index: 0, function: {arguments: JSON.stringify(call.arguments)}};
  return stream([
    {delta: {role: 'assistant', content: null, tool_calls: [invocation]}},
    {delta: {tool_calls: [argumentsPart]}},
    {delta: {}, finish_reason: 'tool_calls'},
  ]);
}

function stream(choices: readonly object[]): string {
  const chunk = (body: object): string =>
    `data: ${JSON.stringify({id: 'c', object: 'chat.completion.chunk', model: 'instant', ...body})}\n\n`;
  const usage = {prompt_tokens: 100, completion_tokens: 10, total_tokens: 110};
  return `${choices.map((choice) => chunk({choices: [{index: 0, ...choice}]})).join('')}${chunk({choices: [], usage})}data: [DONE]\n\n`;
}
