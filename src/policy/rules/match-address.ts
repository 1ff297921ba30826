import {normalUri} from '../../base/normal-uri.ts';
import type {Subject} from '../decision.ts';
import {fitsPattern} from '../pattern.ts';

export type NameSubject = Extract<Subject, {kind: 'name'}>;

/**
 * True if an allow rule covers a name: literally, or, for a URI, in every way in which a server may read it
 * (`file:///docs/*` does not cover `file:///docs/..%2Fetc/passwd`).
 */
export function coversName(pattern: string, {name, address}: NameSubject): boolean {
  if (address !== 'uri' || pattern === name) return fitsPattern(pattern, name);
  // An empty path counts as `/`.
  return fitsPattern(pattern, name) && readingsOf(name).every((reading) => reading === `${name}/` || fitsPattern(pattern, reading));
}

/** True if a deny or ask rule matches it, in whatever notation either is written: letter case, encoding, dots, parts that a server may leave out. */
export function namesAddress(pattern: string, {name, address}: NameSubject): boolean {
  if (fitsPattern(pattern, name)) return true;
  if (address === undefined) return false;
  const names = address === 'host' ? [name] : uriNames(name);
  const patterns = address === 'host' ? hostPatterns(pattern) : uriPatterns(pattern);
  return patterns.some((one) => names.some((other) => fitsPattern(one.toLowerCase(), other.toLowerCase())));
}

function readingsOf(uri: string): readonly string[] {
  const normal = normalUri(uri);
  return 'problem' in normal ? [] : normal.readings;
}

function uriPatterns(pattern: string): string[] {
  const normal = normalUri(pattern);
  return 'problem' in normal ? [pattern] : [pattern, normal.uri, ...normal.readings];
}

/** Also without name, query, fragment, doubled and last slashes; of files, the host may not count, or be the first folder. */
function uriNames(uri: string): string[] {
  const bare = [uri, ...readingsOf(uri)].flatMap((reading) => [reading, reading.replace(/[?#].*$/, ''), reading.replace(/#.*$/, '')]);
  const named = bare.flatMap((reading) => [reading, reading.replace(/^([^:/?#]+:\/\/)[^/?#]*@/, '$1')]);
  const files = named.flatMap((reading) => [
    reading,
    reading.replace(/^file:\/\/[^/]+/i, 'file://'),
    reading.replace(/^file:\/\/(?=[^/])/i, 'file:///'),
  ]);
  const single = files.flatMap((reading) => [
    reading,
    reading.replaceAll(/(?<![:/])\/{2,}/g, '/'),
    reading.replace(/(^[^:]+:\/{3})\/+/, '$1'),
  ]);
  return [...new Set(single.flatMap((reading) => [reading, reading.replace(/(?<=[^/])\/+$/, ''), reading.replace(/\.(?=[:/]|$)/, '')]))];
}

/** A rule may be written as an address (`https://example.com/*`), in capitals, with letters of any script, with a last dot. */
function hostPatterns(pattern: string): string[] {
  const host = pattern
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/, '')
    .replace(/:443$/, '');
  const parsed = URL.parse(`https://${host}/`)?.host ?? host;
  return [host, parsed.replace(/\.+(?=:|$)/, '')];
}
