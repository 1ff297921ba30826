import {isUtf8} from 'node:buffer';
import type {Subject} from '../../policy/decision.ts';

/**
 * Returns the permission subjects of an address: its host, and, if it is not https on port 443, also
 * `host:port`, so that a rule for a host allows neither clear text nor another service, and a rule against a
 * host forbids both. If the address contains what may be a key, that is another subject, which no rule for a
 * host allows.
 */
export function hostSubjects(url: URL): readonly Subject[] {
  const isUsual = url.protocol === 'https:' && url.port === '';
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  const names = [
    url.hostname,
    ...(isUsual ? [] : [`${url.hostname}:${port}`]),
    ...(holdsKey(url) ? [`${url.hostname} with what looks like a key in the address`] : []),
  ];
  return names.map((name) => ({kind: 'name', name, address: 'host'}));
}

function holdsKey({pathname, search}: URL): boolean {
  return KEYS.test(pathname + search) || KEYS.test(decoded(pathname + search));
}

/** Removes percent-encoding. Invalid sequences stay, and do not prevent the rest from being decoded. */
export function decoded(text: string): string {
  return text.replaceAll('+', ' ').replaceAll(/(?:%[0-9a-f]{2})+/gi, (codes) => {
    const bytes = Buffer.from(codes.replaceAll('%', ''), 'hex');
    return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
  });
}

/** Keys of AWS, GitHub, GitLab, OpenAI and Anthropic, Slack, Google; private keys; JSON web tokens (RFC 7519). */
const KEYS =
  /(?:AKIA|ASIA)[0-9A-Z]{16}|gh[pousr]_\w{30,}|github_pat_\w{20,}|glpat-[\w-]{20,}|\bsk-[\w-]{20,}|xox[abprs]-[\w-]{10,}|AIza[\w-]{35}|-----BEGIN|eyJ[\w-]{8,}\.eyJ[\w-]{8,}\./;
