import {endOfPrivateKey} from './private-key.ts';

/** Pattern of a well-known kind of secret: how it begins, and how to confirm it. */
export interface SecretShape {
  readonly kind: string;
  /** The first characters, at least three, in lower case. The shape is looked for only where they occur. */
  readonly begins: readonly string[];
  /** Sticky: matched where `begins` occurs; group 1, if any, is the secret. Every repetition in it is bounded or ends the match. */
  readonly pattern: RegExp;
  /** Returns the end of a secret that continues after the match, so that rejected text is not read twice; undefined: it is not a secret. */
  readonly goesOn?: (text: string, at: number) => number | undefined;
  /** A final check. `before` returns the text before it in the same word. */
  readonly accepts?: (match: RegExpExecArray, before: () => string) => boolean;
  /** False: it may occur in the middle of a word. */
  readonly ownWord?: false;
}

const TOKEN = String.raw`[A-Za-z0-9_-]`;
const END = String.raw`(?![A-Za-z0-9_-])`;

/**
 * Shapes of keys and tokens as their issuers document them (AWS, GitHub, GitLab, Slack, Stripe, OpenAI, Anthropic, Google, npm, PyPI, Docker
 * and others), JSON Web Tokens (RFC 7519), private keys (RFC 7468), passwords in URLs (RFC 3986 › userinfo), `Authorization` headers (RFC 9110),
 * and values that are assigned to names like `password`.
 */
export const SECRET_SHAPES: readonly SecretShape[] = [
  token('AWS key id', ['akia', 'asia', 'abia', 'acca'], String.raw`(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}${END}`),
  token('GitHub token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], String.raw`gh[pousr]_[A-Za-z0-9]{30,255}`),
  token('GitHub token', ['github_pat_'], String.raw`github_pat_${TOKEN}{22,255}`),
  token(
    'GitLab token',
    ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glsoat-', 'glimt-', 'glagent-'],
    String.raw`gl[a-z]{2,6}-[A-Za-z0-9_.-]{20,255}`,
  ),
  token(
    'Slack token',
    ['xoxa-', 'xoxb-', 'xoxc-', 'xoxd-', 'xoxe', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
    String.raw`(?:xox[abcdeoprs](?:\.xox[bp])?|xapp)-[A-Za-z0-9%-]{10,400}`,
  ),
  token('Slack address', ['hooks.slack.com'], String.raw`hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_]{20,200})`),
  token('Discord address', ['discord.com/api/web'], String.raw`discord\.com/api/webhooks/(\d{10,25}/${TOKEN}{30,120})`),
  token(
    'Stripe key',
    ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'],
    String.raw`(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9+/=]{16,255}`,
  ),
  token('Anthropic key', ['sk-ant-'], String.raw`sk-ant-${TOKEN}{16,255}`),
  {
    ...token('API key', ['sk-'], String.raw`sk-(?:proj-|or-v1-|svcacct-|admin-)?${TOKEN}{20,255}`),
    accepts: ([key]) => isMixed(key.slice(3)),
  },
  token('Google key', ['aiza'], String.raw`AIza${TOKEN}{35}`),
  token('Google token', ['ya29.', 'gocspx-'], String.raw`(?:ya29\.|GOCSPX-)[A-Za-z0-9_.-]{20,400}`),
  token('npm token', ['npm_'], String.raw`npm_[A-Za-z0-9]{36}`),
  token('PyPI token', ['pypi-'], String.raw`pypi-Ag${TOKEN}{40,400}`),
  token('Docker token', ['dckr_'], String.raw`dckr_(?:pat|oat)_${TOKEN}{20,100}`),
  token('Hugging Face token', ['hf_'], String.raw`hf_[A-Za-z0-9]{30,60}${END}`),
  token(
    'API key',
    ['gsk_', 'xai-', 'pplx-', 'nvapi-', 'tvly-', 'lin_api_', 'r8_'],
    String.raw`(?:gsk_|xai-|pplx-|nvapi-|tvly-(?:dev-)?|lin_api_|r8_)${TOKEN}{32,255}`,
  ),
  token('SendGrid key', ['sg.'], String.raw`SG\.${TOKEN}{16,64}\.${TOKEN}{16,64}`),
  token('Shopify token', ['shpat_', 'shpss_', 'shpca_', 'shppa_'], String.raw`shp(?:at|ss|ca|pa)_[0-9a-fA-F]{32}`),
  token('DigitalOcean token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], String.raw`do[opr]_v1_[0-9a-f]{64}`),
  token('Vault token', ['hvs.', 'hvb.', 'hvr.'], String.raw`hv[sbr]\.${TOKEN}{20,255}`),
  token('Atlassian token', ['atatt3', 'atctt3', 'atbb'], String.raw`(?:ATATT3|ATCTT3|ATBB)[A-Za-z0-9_=-]{24,255}`),
  token(
    'access token',
    ['figd_', 'glsa_', 'sntrys_', 'sntryu_', 'rubygems_', 'ccipat_', 'pmak-', 'dapi', 'fo1_'],
    String.raw`(?:figd_|glsa_|sntry[su]_|rubygems_|CCIPAT_|PMAK-|dapi(?=[0-9a-f]{32})|fo1_)[A-Za-z0-9_=-]{24,400}`,
  ),
  token('age key', ['age-secret-key-1'], String.raw`AGE-SECRET-KEY-1[A-Z0-9]{50,70}`),
  token(
    'JSON Web Token',
    ['eyj'],
    String.raw`eyJ${TOKEN}{8,4096}\.(?:${TOKEN}{2,65536}(?:\.${TOKEN}{0,65536}){1,3}|(?:\.${TOKEN}{8,65536}){3})`,
  ),
  {
    kind: 'private key',
    begins: ['-----begin '],
    pattern: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y,
    goesOn: endOfPrivateKey,
    ownWord: false,
  },
  {
    kind: 'password',
    begins: ['://'],
    pattern: /:\/\/[^\s/?#@"'`<>:]{0,256}:([^\s/?#"'`<>]{1,512})@/y,
    accepts: ([, secret = '']) => !isPlaceholder(secret),
    ownWord: false,
  },
  {
    kind: 'authorization',
    begins: ['authorization'],
    pattern:
      /authorization["'\\]{0,3}\s{0,4}[:=,]\s{0,4}["'\\`]{0,3}(?:(?:bearer|basic|token|digest|apikey|bot)\s{1,4})?([A-Za-z0-9._~+/=:-]{8,48})/iy,
    goesOn: behind(/[A-Za-z0-9._~+/=:-]*/y),
    accepts: ([, secret = '']) => /\d/.test(secret) && !isPlaceholder(secret),
  },
  {
    kind: 'authorization',
    begins: ['bearer '],
    pattern: /bearer\s{1,4}([A-Za-z0-9._~+/=-]{16,48})/iy,
    goesOn: behind(/[A-Za-z0-9._~+/=-]*/y),
    accepts: ([, secret = '']) => isMixed(secret),
  },
  {
    kind: 'secret',
    // What a shell or an `.env` file sets: the whole value, whatever signs it holds, between quotes over several lines.
    begins: [
      'secret',
      'passw',
      'pass=',
      'passphrase',
      'token',
      'api_key',
      'apikey',
      'access_key',
      'private_key',
      '_auth',
      'pwd',
      'credential',
    ],
    pattern:
      /(?:SECRET|PASSW(?:OR)?D?|PASS(?:PHRASE)?|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_KEY|_AUTH|PWD|CREDENTIALS?)([A-Z0-9_]{0,32})=(?:"((?:[^"\\]|\\.){6,2048})"|'([^']{6,2048})'|([^\s"'`;|&<>()]{6,512}(?:(?<![ \t])[;&|][^\s"'`]{2,512})?))/y,
    accepts: isEnvironmentSecret,
    ownWord: false,
  },
  {
    kind: 'secret',
    begins: [
      'secret',
      'passw',
      'passphrase',
      'token',
      'apikey',
      'api_key',
      'api-key',
      'accesskey',
      'access_key',
      'access-key',
      'accountkey',
      'private_key',
      'signing_key',
      'encryption_key',
      '_auth',
      'sharedkey',
      'pwd',
      'credential',
      'master_key',
      'service_key',
      'pass=',
      'pass"',
      "pass'",
      'pass:',
      'pass ',
    ],
    pattern:
      /(?:secret|passw(?:or)?d?|passphrase|pass(?=["' :=\\])|credentials?|(?:master|service)_key|token|api[_-]?key|access[_-]?key|account_?key|private_key|signing_key|encryption_key|_auth|sharedkey|pwd)([\w-]{0,32})["'\\]{0,3}[ \t]{0,4}(?:=>|:=|[:=])[ \t]{0,4}["'`\\]{0,3}([^\s"'`,;()<>{}[\]$\\|&]{4,48})(?![([{$<.])/iy,
    goesOn: behind(/[^\s"'`,;()<>{}[\]$\\|&]*/y),
    accepts: isAssignedSecret,
    ownWord: false,
  },
];

function behind(sticky: RegExp): (text: string, at: number) => number {
  return (text, at) => {
    sticky.lastIndex = at;
    return sticky.test(text) ? sticky.lastIndex : at;
  };
}

function token(kind: string, begins: readonly string[], source: string): SecretShape {
  return {kind, begins, pattern: new RegExp(source, 'y')};
}

/** Digits and both cases, or digits and no word: nobody writes such names by hand. */
function isMixed(text: string): boolean {
  return /\d/.test(text) && /[A-Za-z]/.test(text) && (!/[a-z]/.test(text) || /[A-Z]/.test(text) || /^[0-9a-f]{24,}$/.test(text));
}

/**
 * Returns true for text in the place of a secret that is not one: a variable, a blank to fill in, an earlier redaction. `%40` is a letter,
 * `%s` is a blank.
 */
export function isPlaceholder(text: string): boolean {
  const plain = text.replaceAll(/%[0-9a-f]{2}/gi, 'q');
  return /^[*x.•_-]+$|^\[?redacted|^(?:your|my|example|changeme|change-me|placeholder|password|passwd|pass|secret|token|user|null|none|undefined|true|false)\b|[%<>{}]|^[$*]|\$[A-Z_{(]|\*\*|\.\.\./i.test(
    plain,
  );
}

/** Names that speak about a secret and do not hold it. */
const ABOUT =
  /(?:names?|files?|path|dir|ur[il]|ids?|refs?|types?|ttl|expir\w*|leng?th?|size|count|counter|limit|version|prefix|suffix|header|field|param|policy|arn|hash|regex|pattern|label|placeholder|required|enabled|text|kind|s)$/i;

/** `export DB_PASS=ab12#xyz987`; a value between quotes may hold blanks. */
function isEnvironmentSecret([match, rest = '', double, single, bare]: RegExpExecArray, before: () => string): boolean {
  if (!/^[A-Z][A-Z0-9_]*=/.test(before() + match) || ABOUT.test(rest)) return false;
  if (bare !== undefined && /[()]/.test(bare)) return false;
  // Between single quotes a `$` is a letter like any other.
  return isValue(single?.replaceAll('$', '_') ?? double ?? bare ?? '');
}

function isValue(secret: string): boolean {
  if (/\$[A-Za-z_{(]|^\$/.test(secret) || NO_VALUE.test(secret) || isPlaceholder(secret)) return false;
  return /\d/.test(secret) || (/[^\w\s.,:;!?'-]/.test(secret) && !/\s/.test(secret));
}

function isAssignedSecret([match, rest = '', secret = '']: RegExpExecArray, before: () => string): boolean {
  const hasDigit = /\d/.test(secret);
  if (!hasDigit && !/^[A-Z]/.test(match)) return false;
  if (isPlaceholder(secret) || NO_VALUE.test(secret) || ABOUT.test(rest)) return false;
  // `DB_PASSWORD=hunter2`: what a shell or an `.env` file sets is a value, never code.
  if (/^[A-Z][A-Z0-9_]*=["']?[^=\s]/.test(before() + match)) return secret.length >= 6 && /[\d\W_]/.test(secret);
  return hasDigit && isStrong(secret);
}

function isStrong(secret: string): boolean {
  return secret.length >= 8 && (isMixed(secret) || /[!@#%^*+=/]/.test(secret.replace(/=+$/, '')));
}

/** Paths, addresses, UUIDs, numbers. */
const NO_VALUE = /^[./~]|:\/\/|^\d+$|^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
