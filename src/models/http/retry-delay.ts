import type {IncomingHttpHeaders} from 'node:http';

/** Milliseconds to wait before retry number `retries` (0 is the first): 0.5 s doubled each time up to 8 s, half of it by chance. */
export function backoffMs(retries: number, random: () => number): number {
  const full = Math.min(8_000, 500 * 2 ** retries);
  return Math.round(full / 2 + (full / 2) * random());
}

/**
 * Milliseconds that the server asks to wait: `retry-after-ms`, or `retry-after` as seconds or as an HTTP date (RFC 9110, 10.2.3).
 * Undefined if it asks for nothing, or for nothing that can be understood.
 */
export function askedDelayMs(headers: IncomingHttpHeaders, now: number): number | undefined {
  const ms = positive(headers['retry-after-ms']);
  if (ms !== undefined) return ms;
  const after = headers['retry-after'];
  if (after === undefined) return undefined;
  const seconds = positive(after);
  if (seconds !== undefined) return Math.round(seconds * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function positive(value: string | readonly string[] | undefined): number | undefined {
  return typeof value === 'string' && /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}
