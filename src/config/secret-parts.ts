import {isSecretVariable} from '../base/variable-names.ts';

/** Returns the replacement for a secret. Called with each one that is found. */
export type Hide = (secret: string) => string;

const HIDDEN: Hide = () => '(hidden)';

/** An address as it may be shown: user and password, the values of its query, its fragment, and path segments that look like keys are hidden. */
export function hideInUrl(url: string, hide: Hide = HIDDEN): string {
  const {origin = '', user, path = '', query, fragment} = ADDRESS.exec(url)?.groups ?? {path: url};
  const segments = path.split('/').map((segment) => (looksLikeKey(segment) ? hide(segment) : segment));
  return [
    origin,
    user === undefined ? '' : `${hide(user)}@`,
    ...(origin === '' ? [path] : [segments.join('/')]),
    query === undefined
      ? ''
      : `?${query
          .split('&')
          .map((pair) => queryPair(pair, hide))
          .join('&')}`,
    fragment === undefined || fragment === '' ? '' : `#${hide(fragment)}`,
  ].join('');
}

const ADDRESS = /^(?<origin>[a-z][a-z0-9+.-]*:\/\/)(?:(?<user>[^/?#]*)@)?(?<path>[^?#]*)(?:\?(?<query>[^#]*))?(?:#(?<fragment>[^]*))?$/i;

function queryPair(pair: string, hide: Hide): string {
  const at = pair.indexOf('=');
  if (at < 0) return looksLikeKey(pair) ? hide(pair) : pair;
  const value = pair.slice(at + 1);
  return value === '' ? pair : `${pair.slice(0, at + 1)}${hide(value)}`;
}

/** Arguments of a program as they may be shown: `--token=X`, `--api-key X`, `-e API_KEY=X`, `-H "Authorization: X"`, addresses, and what looks like a key. */
export function hideInArgs(args: readonly string[], hide: Hide = HIDDEN): string[] {
  return args.map((arg, index) => {
    const before = args[index - 1] ?? '';
    const isValue = /^--?[a-z][\w-]*$/i.test(before) && isSecretName(before) && !arg.startsWith('-');
    return isValue && arg !== '' ? hide(arg) : hideInArg(arg, hide);
  });
}

function hideInArg(arg: string, hide: Hide): string {
  const {name = '', sign = '', value = ''} = NAMED.exec(arg)?.groups ?? {};
  if (value !== '' && isSecretName(name)) return `${name}${sign}${hide(value)}`;
  if (value !== '' && sign.startsWith('=')) return `${name}${sign}${hideInArg(value, hide)}`;
  if (arg.includes('://')) return hideInUrl(arg, hide);
  return looksLikeKey(arg) ? hide(arg) : arg;
}

/** `--token=X`, `API_KEY=X`, `Authorization: X`. */
const NAMED = /^(?<name>-{0,2}[A-Za-z][\w-]*)(?<sign>=|:\s+)(?<value>[^]+)$/;

function isSecretName(name: string): boolean {
  const snake = name
    .replace(/^-+/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
    .replaceAll('-', '_');
  return isSecretVariable(snake, '') || /^(?:authorization|bearer|password|apikey)$/i.test(snake);
}

/** A key by its known beginning, or a long run of letters and digits that alternate as no word or version does. */
export function looksLikeKey(text: string): boolean {
  if (KNOWN.test(text)) return true;
  return (text.match(/[A-Za-z0-9_+=-]{20,}/g) ?? []).some((run) => alternations(run) >= run.length / 4);
}

const KNOWN = /(?:^|[^A-Za-z0-9])(?:sk-|gh[opsu]_|github_pat_|glpat-|xox[abps]-|AKIA|eyJ)[\w.-]{12,}/;

/** Counts changes between kinds of characters: lower case, upper case, digit. A capital that begins a word is not a change. */
function alternations(run: string): number {
  const kinds = run
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .replaceAll(/[a-z]/g, 'a')
    .replaceAll(/[A-Z]/g, 'A')
    .replaceAll(/[0-9]/g, '0');
  return kinds.match(/aA|a0|A0|0a|0A|Aa(?=[A0])/g)?.length ?? 0;
}
