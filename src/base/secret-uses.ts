import {isPlaceholder, type SecretShape} from './secret-shapes.ts';

/**
 * Secrets that are recognized by their place: options of programs (curl(1), mysql(1), sshpass(1)), netrc(5), connection strings (libpq, ODBC),
 * queries of URLs, headers that hold keys.
 */
export const SECRET_USES: readonly SecretShape[] = [
  {
    kind: 'password',
    begins: ['://'],
    // Names of databases take `/`, `?` and `#` in a password as they come; anywhere else a port and a path look like that.
    pattern: /:\/\/[^\s/?#@"'`<>:]{0,256}:((?!\d{1,5}[/?#])[^\s"'`<>]{1,512})@(?=[\w.[-])/y,
    accepts: ([, secret = ''], before) => DATABASE.test(before()) && !isPlaceholder(secret),
    ownWord: false,
  },
  {
    kind: 'secret',
    begins: ['passw', 'passphrase', 'pass ', 'token ', 'secret ', 'api-key ', 'apikey ', 'access-key '],
    pattern: /(?:passw(?:or)?d|pass(?:phrase)?|(?:api|access)-?key|token|secret)[ \t]{1,4}["']?(?![-/.~])([^\s"'`|&;]{4,512})/iy,
    accepts: ([, secret = ''], before) => /^--[\w-]*$/.test(before()) && isSupplied(secret),
    ownWord: false,
  },
  {
    kind: 'password',
    begins: ['curl '],
    pattern: /curl [^\n|;&]{0,400}?(?<=\s)(?:-u|--user|--proxy-user)[ \t=]{0,2}["']?[^\s:"']{0,100}:([^\s"']{3,512})/iy,
    accepts: ([, secret = '']) => !isPlaceholder(secret),
  },
  {
    kind: 'password',
    begins: ['mysql', 'mariadb'],
    pattern: /(?:mysql|mariadb)\w{0,12}[ \t][^\n|;&]{0,400}?(?<=\s)-p["']?([^\s"'|;&]{4,512})/iy,
    accepts: ([, secret = '']) => isSupplied(secret),
  },
  {
    kind: 'password',
    begins: ['sshpass '],
    pattern: /sshpass +-p *["']?([^\s"']{3,512})/iy,
    accepts: ([, secret = '']) => !isPlaceholder(secret),
  },
  {
    kind: 'password',
    begins: ['login '],
    pattern: /login[ \t]+\S{1,200}\s+password[ \t]+(\S{3,512})/iy,
    accepts: ([, secret = '']) => !isPlaceholder(secret),
  },
  {
    kind: 'password',
    begins: ['user=', 'user id', 'username=', 'uid='],
    pattern: /(?:user(?: id|name)?|uid) ?= ?[^;\s"']{1,100}[;\s][^\n"']{0,200}?(?:password|pwd) ?= ?["']?([^;\s"']{3,512})/iy,
    accepts: ([, secret = '']) => isSupplied(secret),
  },
  {
    kind: 'password',
    begins: ['password=', 'passwd=', 'pwd='],
    pattern:
      /(?:password|passwd|pwd)=([^;\s"'(){}]{3,512})(?=;[ ]?[a-z][a-z _]{0,30}=| (?:dbname|database|host|hostaddr|port|user|sslmode)=)/iy,
    accepts: ([, secret = '']) => isSupplied(secret),
    ownWord: false,
  },
  {
    kind: 'secret',
    begins: [
      '?pass',
      '&pass',
      '?pwd',
      '&pwd',
      '?token',
      '&token',
      '?access_token',
      '&access_token',
      '?api_key',
      '&api_key',
      '?apikey',
      '&apikey',
      '?client_secret',
      '&client_secret',
      '&secret',
      '?secret',
      '&sig=',
      '?sig=',
    ],
    pattern: /[?&](?:passw(?:or)?d|pass|pwd|(?:access_)?token|api_?key|(?:client_)?secret|sig)=([^&\s"'#<>()]{4,512})/iy,
    accepts: ([, secret = '']) => isSupplied(secret),
    ownWord: false,
  },
  {
    kind: 'secret',
    begins: ['x-api-key', 'x-auth-token', 'x-access-token', 'private-token', 'x-vault-token', 'api-key:', 'cookie:'],
    pattern:
      /(?:x-(?:api-key|(?:auth|access|vault)-token)|private-token|api-key|cookie: ?[\w.-]{1,60}=)["']?[: ]{0,2}["']?([^\s"',;]{8,512})/iy,
    accepts: ([, secret = '']) => /\d/.test(secret) && isSupplied(secret),
    ownWord: false,
  },
];

const DATABASE = /^(?:postgres|postgresql|mysql|mariadb|mongodb|srv|rediss?|amqps?|mssql|sqlserver|clickhouse|cockroachdb|nats|ldaps?)$/i;

/** Nothing that a person has yet to fill in, no plain word, no number, no path. */
function isSupplied(secret: string): boolean {
  return /[\d\W_]/.test(secret) && !isPlaceholder(secret) && !/^(?:[./~]|\d+$)/.test(secret) && !/[()[\]{}]/.test(secret);
}
