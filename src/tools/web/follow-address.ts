import type {IncomingMessage} from 'node:http';
import {FettleError} from '../../base/errors.ts';
import type {Subject} from '../../policy/decision.ts';
import {hostSubjects} from './host-subjects.ts';
import {withinNetworkTime, type NetworkTime} from './network-deadline.ts';
import {reachableAddresses, requirePublicName} from './reachable-addresses.ts';
import {readBody} from './read-body.ts';
import {sendRequest} from './send-request.ts';
import type {WebAccess} from './web-access.ts';
import {webAddress} from './web-address.ts';

export interface FollowedAddress {
  /** The address after all redirects. */
  readonly url: URL;
  readonly contentType: string;
  readonly body: Buffer;
}

export interface FollowOptions {
  readonly web: WebAccess;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Asks for permission to contact another host; throws DENIED. */
  permit(subjects: readonly Subject[]): Promise<void>;
}

const MAX_REDIRECTS = 5;
/** Most bytes of a body after decompression. */
const MAX_BODY_BYTES = 5 * 1024 * 1024;

/**
 * Fetches an address whose host is permitted, and follows redirects: at most five, each checked as if it had been requested (SSRF by
 * redirect), and permitted again if the host, port or scheme differs. No cookies, no credentials, no referrer.
 */
export async function followAddress(start: URL, options: FollowOptions): Promise<FollowedAddress> {
  return await withinNetworkTime(options.timeoutMs, options.signal, async (time) => await followed(start, options, time));
}

async function followed(start: URL, {web, permit}: FollowOptions, time: NetworkTime): Promise<FollowedAddress> {
  const permitted = new Set(hostSubjects(start).map(nameOf));
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const step = await fetchHop(url, web, time.signal);
    if (!(step instanceof URL)) return {url, ...step};
    url = step;
    requirePublicName(url.hostname, web.privateHosts);
    const subjects = hostSubjects(url);
    if (subjects.some((subject) => !permitted.has(nameOf(subject)))) await time.pauseFor(permit(subjects));
    for (const subject of subjects) permitted.add(nameOf(subject));
  }
  throw new FettleError({
    code: 'PROVIDER',
    message: `${start.host} redirects more than ${MAX_REDIRECTS} times.`,
    hint: `The last address was ${url.origin}${url.pathname}.`,
  });
}

type Hop = Omit<FollowedAddress, 'url'>;

/** Fetches a body, or the next address. */
async function fetchHop(url: URL, web: WebAccess, signal: AbortSignal): Promise<Hop | URL> {
  const addresses = await reachableAddresses(url, web, signal);
  const ask = (agent: string): Promise<IncomingMessage> =>
    sendRequest({url, addresses, headers: {...HEADERS, 'user-agent': agent}, signal});
  let answer = await ask(`Mozilla/5.0 (compatible; ${web.userAgent})`);
  if (isChallenge(answer)) {
    answer.destroy();
    answer = await ask(web.userAgent);
  }
  const {statusCode: status = 0, headers} = answer;
  if (status >= 200 && status < 300) {
    return {contentType: headers['content-type'] ?? '', body: await readBody(answer, MAX_BODY_BYTES, signal)};
  }
  answer.destroy();
  if ([301, 302, 303, 307, 308].includes(status) && headers.location !== undefined) return redirected(url, headers.location);
  throw refused(url, status);
}

const HEADERS = {
  accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.1',
  'accept-language': 'en, *;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
};

/** True for a challenge page, which some networks send to clients that look like browsers; an honest user agent is often let through. */
function isChallenge({statusCode, headers}: IncomingMessage): boolean {
  return statusCode === 403 && headers['cf-mitigated'] === 'challenge';
}

function redirected(from: URL, location: string): URL {
  // Headers are bytes; non-ASCII bytes in them are read as UTF-8.
  const target = URL.parse(Buffer.from(location, 'latin1').toString('utf8'), from.href);
  if (target === null) throw new FettleError({code: 'PROVIDER', message: `${from.host} redirects to an invalid address.`});
  return webAddress(target.href);
}

function refused({host}: URL, status: number): FettleError {
  const isGone = status === 404 || status === 410;
  return new FettleError({
    code: isGone ? 'NOT_FOUND' : 'PROVIDER',
    message: `${host} answered with status ${status}.`,
    hint: HINTS[status] ?? (status >= 500 || status === 429 ? 'Try again later.' : 'Find another address.'),
  });
}

const HINTS: Readonly<Record<number, string>> = {
  401: 'A login is needed; there is none here.',
  403: 'The page refuses programs, or needs a login.',
  404: 'There is no such page; check the address.',
  410: 'The page was taken away.',
};

function nameOf(subject: Subject): string {
  return subject.kind === 'name' ? subject.name : '';
}
