import {FettleError} from '../../base/errors.ts';

const MAX_CHARS = 8192;

/**
 * Parses an address of the web into the form that is requested (WHATWG URL): http or https, no name and
 * password, no control characters (the parser would silently drop some: CVE-2026-24052 is about hosts that only
 * looked like another one), without fragment and final dots. Throws BAD_ARGS.
 */
export function webAddress(text: string): URL {
  const asked = text.trim();
  if (asked.length > MAX_CHARS) throw refused('is longer than 8192 characters');
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(asked)) throw refused('holds invisible or control characters');
  const url = URL.parse(asked);
  if (url === null) throw refused('cannot be read');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused(`begins with ${url.protocol.slice(0, 20)}`);
  if (url.username !== '' || url.password !== '') throw refused('holds a name or a password');
  url.hash = '';
  url.hostname = url.hostname.replace(/\.+$/, '');
  return url;
}

function refused(why: string): FettleError {
  return new FettleError({
    code: 'BAD_ARGS',
    message: `The address ${why}.`,
    hint: 'Give a whole address, such as https://docs.example/page; only http and https.',
  });
}
