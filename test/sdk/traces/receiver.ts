import {createServer, type IncomingHttpHeaders} from 'node:http';
import {onTestFinished} from 'vitest';
import {decodeOtlp} from './decode-otlp.ts';

export interface Receiver {
  readonly url: string;
  readonly requests: {readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: OtlpBody}[];
  readonly spans: () => readonly OtlpSpan[];
}

export interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly resource: {readonly attributes: readonly OtlpAttribute[]};
    readonly scopeSpans: readonly {readonly scope: object; readonly spans: readonly OtlpSpan[]}[];
  }[];
}

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly status: {readonly code?: number};
}

export interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** An OTLP receiver on loopback; `statuses` are its answers in turn, then 200. `silent`: it never answers. */
export async function receiver({statuses = [], silent = false}: {statuses?: number[]; silent?: boolean} = {}): Promise<Receiver> {
  const requests: Receiver['requests'] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const bytes = Buffer.concat(pieces);
      const isJson = request.headers['content-type'] === 'application/json';
      const body = isJson ? (JSON.parse(bytes.toString()) as OtlpBody) : decodeOtlp(bytes);
      requests.push({path: request.url ?? '', headers: request.headers, body});
      if (!silent) response.writeHead(statuses.shift() ?? 200, {'content-type': 'application/json'}).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  const spans = () =>
    requests.flatMap(({body}) => body.resourceSpans.flatMap(({scopeSpans}) => scopeSpans.flatMap((scope) => scope.spans)));
  return {url, requests, spans};
}

/** Attributes as an object of plain values. */
export function plain(attributes: readonly OtlpAttribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({key, value}) => [key, Object.values(value)[0]]));
}
