import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import {chatCompletions} from './wires/chat-completions.ts';
import {gemini} from './wires/gemini.ts';
import {responses} from './wires/responses.ts';
import type {PlannedCall} from './wires/wire.ts';

/** A model that answers at once with the calls of a plan, one a turn, then with a text, in the wire format of the request. */
export interface InstantModel {
  /** The base of the OpenAI formats. */
  readonly baseUrl: string;
  /** The base of the Gemini API. */
  readonly origin: string;
  /** Begins a new run. The function is called when the plan is done and the request for its end has come, before that is answered. */
  reset(plan: readonly PlannedCall[], whenDone?: () => void): void;
  /** Times of the requests of this run: when each had arrived whole, and when its answer was written. */
  readonly requests: readonly {readonly arrivedAt: number; readonly answeredAt: number}[];
  /** The body of the request that came when the plan was done: with the results of all calls. Empty before. */
  readonly lastBody: Buffer;
  close(): Promise<void>;
}

const WIRES = [chatCompletions, responses, gemini];

export async function startInstantModel(): Promise<InstantModel> {
  let plan: readonly PlannedCall[] = [];
  let requests: {arrivedAt: number; answeredAt: number}[] = [];
  let lastBody = Buffer.alloc(0);
  let done: (() => void) | undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    // Only the last body is looked at: to keep each would be work of the model within the turns.
    if (requests.length >= plan.length) request.on('data', (chunk: Buffer) => chunks.push(chunk));
    else request.resume();
    request.on('end', () => {
      const arrivedAt = performance.now();
      const wire = WIRES.find(({path}) => path.test(request.url ?? ''));
      // Questions about the window of the model are not requests to it.
      if (wire === undefined) return void response.writeHead(404).end();
      if (requests.length === plan.length) done?.();
      response.writeHead(200, {'content-type': 'text/event-stream'});
      response.end(wire.answer(plan[requests.length], requests.length));
      requests.push({arrivedAt, answeredAt: performance.now()});
      lastBody = Buffer.concat(chunks);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    baseUrl: `${origin}/v1`,
    origin,
    reset(next, whenDone) {
      plan = next;
      done = whenDone;
      requests = [];
      lastBody = Buffer.alloc(0);
    },
    get requests() {
      return requests;
    },
    get lastBody() {
      return lastBody;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
