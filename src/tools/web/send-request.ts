import type {IncomingMessage, RequestOptions} from 'node:http';
import type {LookupFunction} from 'node:net';
import {FettleError} from '../../base/errors.ts';
import type {HostAddress} from './web-access.ts';

export interface WebRequest {
  readonly url: URL;
  /** The only addresses that are connected to; undefined: the system looks the name up. */
  readonly addresses?: readonly HostAddress[] | undefined;
  readonly method?: 'GET' | 'POST' | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
}

const MAX_HEADER_BYTES = 32 * 1024;

/**
 * Sends one request on a connection of its own: no proxy, no cookies, no redirects. `node:http` is not imported,
 * because that would load all of `fetch`. The caller reads or destroys the answer. Throws PROVIDER for errors of
 * the network or the peer, or the reason of the signal.
 */
export function sendRequest({url, addresses, method = 'GET', headers, body, signal}: WebRequest): Promise<IncomingMessage> {
  const {request} = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const options: RequestOptions = {
    method,
    headers: {...headers, ...(body === undefined ? {} : {'content-length': Buffer.byteLength(body)})},
    signal,
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    insecureHTTPParser: false,
    ...(addresses === undefined ? {} : {lookup: pinned(addresses)}),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, options);
    outgoing.on('response', (incoming) => {
      incoming.on('error', () => undefined); // the reader gets the error; without a listener it would end the process
      resolve(incoming);
    });
    outgoing.on('error', (error) => reject(signal.aborted ? error : failed(url, error)));
    outgoing.end(body);
  });
}

/** Looks up the checked addresses only, whatever the name resolves to by now. */
function pinned(addresses: readonly HostAddress[]): LookupFunction {
  return (_, options, done) => {
    const [first] = addresses;
    if (options.all === true) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };
}

function failed(url: URL, error: Error): FettleError {
  const code = 'code' in error ? String(error.code) : error.message;
  return new FettleError({
    code: 'PROVIDER',
    message: `${url.host} could not be reached (${code}).`,
    hint: HINTS.find(([pattern]) => pattern.test(code))?.[1] ?? 'Check the address, or try again later.',
    cause: error,
  });
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [/CERT|TLS|SSL|SELF_SIGNED|ISSUER/, 'Its certificate cannot be trusted; do not go on by http.'],
  [/^HPE_HEADER_OVERFLOW$/, 'Its headers are larger than 32 KiB.'],
  [/^HPE_/, 'It does not answer in HTTP.'],
];
