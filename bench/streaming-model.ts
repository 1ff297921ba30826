import {createServer, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';

/** A model that writes a long Markdown answer at a steady pace, as Chat Completions. */
export interface StreamingModel {
  readonly baseUrl: string;
  /** All of the text. */
  readonly text: string;
  close(): Promise<void>;
}

const TOKENS_PER_SECOND = 500;
const STEP_MS = 10;

export async function startStreamingModel(tokens: number): Promise<StreamingModel> {
  const parts = markdownTokens(tokens);
  const timers = new Set<NodeJS.Timeout>();
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (request.url?.endsWith('/chat/completions') !== true) return void response.writeHead(404).end();
      response.writeHead(200, {'content-type': 'text/event-stream'});
      const began = performance.now();
      let sent = 0;
      const timer = setInterval(() => {
        const due = Math.min(parts.length, Math.floor(((performance.now() - began) / 1000) * TOKENS_PER_SECOND));
        for (; sent < due; sent += 1) chunk(response, {delta: {content: parts[sent]}});
        if (sent < parts.length) return;
        clearInterval(timer);
        timers.delete(timer);
        chunk(response, {delta: {}, finish_reason: 'stop'});
        response.end('data: [DONE]\n\n');
      }, STEP_MS);
      timers.add(timer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    text: parts.join(''),
    close: () =>
      new Promise((resolve) => {
        for (const timer of timers) clearInterval(timer);
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function chunk(response: ServerResponse, choice: object): void {
  const body = {id: 'c', object: 'chat.completion.chunk', model: 'instant', choices: [{index: 0, ...choice}]};
  response.write(`data: ${JSON.stringify(body)}\n\n`);
}

/** Headings, paragraphs, lists, a table and code, over and over. */
function markdownTokens(count: number): readonly string[] {
  const words = 'the parser reads each line of a file and keeps what it knows about **names**, `types` and their places in the tree'.split(
    ' ',
  );
  const prose = (length: number): string[] => Array.from({length}, (_, n) => `${words[n % words.length] ?? ''} `);
  const section = [
    '## ',
    'What ',
    'it ',
    'does\n\n',
    ...prose(150),
    '\n\n',
    ...Array.from({length: 8}, (_, n) => ['- ', `item ${n}: `, ...prose(14), '\n']).flat(),
    '\n',
    '```ts\n',
    ...Array.from({length: 20}, (_, n) => ['export ', 'const ', `value${n} `, '= ', `read(${n}`, ', "text"); ', '// note\n']).flat(),
    '```\n\n',
    '| Name | Value |\n',
    '|---|---|\n',
    ...Array.from({length: 10}, (_, n) => ['| ', `name ${n} `, '| ', `${n * 7} `, '|\n']).flat(),
    '\n',
  ];
  return Array.from({length: count}, (_, n) => section[n % section.length] ?? '');
}
