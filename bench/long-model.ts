import {createServer} from 'node:http';
import type {AddressInfo} from 'node:net';
import type {PlannedCall} from './wires/wire.ts';

/** A model for runs of thousands of turns: it answers at once with a call each, requests that summarise with a text, and keeps only times. */
export interface LongModel {
  readonly baseUrl: string;
  /** Milliseconds from an answer with a call to the next request, without those around a summary. */
  readonly turns: readonly number[];
  /** The same by the number of the call; NaN around a summary. */
  readonly byCall: readonly number[];
  readonly summaries: number;
  close(): Promise<void>;
}

/** `call`: what the nth request is answered with; undefined: a text, which ends the turn. */
export async function startLongModel(call: (n: number) => PlannedCall | undefined): Promise<LongModel> {
  const byCall: number[] = [];
  let [asked, summaries, answeredAt] = [0, 0, Number.NaN];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url?.endsWith('/chat/completions') !== true) return void response.writeHead(404).end();
      const arrivedAt = performance.now();
      const isSummary = Buffer.concat(chunks).includes('<transcript>');
      response.writeHead(200, {'content-type': 'text/event-stream'});
      if (isSummary) {
        summaries += 1;
        response.end(answer({content: `## Done\n- read files up to number ${asked}, all of them ordinary\n## Next steps\n- read on`}));
        answeredAt = Number.NaN;
        return;
      }
      if (asked > 0) byCall.push(arrivedAt - answeredAt);
      const next = call(asked);
      response.end(
        next === undefined ? answer({content: `Done ${asked}.`}) : answer({content: null, tool_calls: [invocation(next, asked)]}),
      );
      asked += 1;
      answeredAt = performance.now();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    byCall,
    get turns() {
      return byCall.filter((ms) => !Number.isNaN(ms));
    },
    get summaries() {
      return summaries;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function invocation({name, arguments: args}: PlannedCall, n: number): object {
  return {index: 0, id: `c${n}`, type: 'function', function: {name, arguments: JSON.stringify(args)}};
}

function answer(delta: object): string {
  const chunk = (body: object): string =>
    `data: ${JSON.stringify({id: 'c', object: 'chat.completion.chunk', model: 'instant', ...body})}\n\n`;
  const reason = 'tool_calls' in delta ? 'tool_calls' : 'stop';
  return `${chunk({choices: [{index: 0, delta: {role: 'assistant', ...delta}}]})}${chunk({choices: [{index: 0, delta: {}, finish_reason: reason}]})}data: [DONE]\n\n`;
}
