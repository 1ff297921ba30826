import {describe, expect, it} from 'vitest';
import {createRedactor} from '../../src/base/redact.ts';
import {secretValuesOf} from '../../src/base/secret-variables.ts';

const shapes = createRedactor({shapes: true});

/** The secret stands between ‹ and ›. */
const SECRET = [
  'postgres://u:‹p%40ss›@h/db',
  'postgres://u:‹p@ss1›@h/db',
  'postgres://u:‹pa/ss#1?›@h:5432/db',
  'postgresql+asyncpg://u:‹p%23x›@h/db',
  'mysql://root:‹%21%40%23›@127.0.0.1/x',
  'mongodb+srv://app:‹Zq%2F9%3A›@c0.example.net/?retryWrites=true',
  'amqp://guest1:‹gu%25est›@mq:5672/vhost',
  'rediss://:‹s3c%26ret›@cache:6379/0',
  'https://bot:‹a%20b%20c›@git.example/x.git',
  'DB_PASS=‹ab12#xyz987›',
  'export DB_PASS=‹ab12#xyz987›',
  'DB_PASS="‹ab12 xyz 987›"',
  "DB_PASS='‹ab12$xyz,987(x)›'",
  'DB_PASSWORD=‹ab12,x;yz9›',
  'MYSQL_PWD=‹hunter22›',
  'PGPASSWORD=‹hunter22› psql -h db',
  'SMTP_PASS=‹x9!kkq›',
  'API_TOKEN="‹line1\nline2 of it›"',
  'CREDENTIALS=‹u1:abcdef99›',
  'SECRET_KEY=‹django-insecure-9x!@›',
  'db_pass: ‹ab12#xyz987›',
  'pass = ‹ab12#xyz987›',
  '"pass": "‹ab12#xyz987›"',
  '"credentials": "‹Ab12xyz98765›"',
  'password: ‹p%40ssw0rd!›',
  'passwd = "‹Zx9!kk22›"',
  'authToken: "‹Ab1cD2eF3gH4›"',
  'psql "host=h user=u password=‹hunter2› dbname=x"',
  'Server=h;Uid=u;Pwd=‹ab12xyz›;Database=d',
  'Data Source=h;User ID=sa;Password=‹S3cr3t!›',
  'jdbc:mysql://h/db?user=u&password=‹ab12cd›',
  'https://h.example/x?access_token=‹abc123def›&a=b',
  'tool --password ‹hunter2›',
  'tool --db-password "‹hunter2!›"',
  'tool --api-key ‹9f8e7d6c›',
  'tool --token=‹Ab1cD2eF3gH4›',
  'mysql -u root -p‹hunter2› db',
  'mysqldump --all -p‹s3cret99›',
  'curl -s -u admin:‹hunter2› https://h.example',
  'curl --user "bot:‹pw_99›" https://h.example',
  'sshpass -p ‹hunter2› ssh u@h',
  'machine h.example login me password ‹hunter2›',
  'X-Api-Key: ‹abcd1234efgh›',
  "-H 'PRIVATE-TOKEN: ‹abcd1234efgh›'",
  'Cookie: sid=‹abcdef0123456789›; theme=dark',
];

const ORDINARY = [
  'password = getPassword()',
  'password = getPassword2();',
  'token: string',
  'token: string | undefined, password2: number',
  'PASS_COUNT=3',
  'PASSED=12',
  'BYPASS=yes1',
  'pass: 12 fail: 0',
  'tests pass 120 of 120',
  'pass = 1',
  'const pass = readPass2(file);',
  'if (pass1 === pass2) return;',
  'PASSWORD=$DB_PASSWORD',
  'PASSWORD="$DB_PASSWORD1"',
  'PASSWORD="${DB_PASSWORD2:-}"',
  'PASSWORD=$(pass show db1)',
  'PASSWORD="enter your password"',
  'PASSWORD=',
  'PASSWORD_FILE=/run/secrets/password1',
  'TOKEN_COUNT=4096000',
  'TOKEN_TTL=3600s',
  'SECRET_NAME="my-app-v2"',
  'AUTH_URL=https://h.example/v2',
  'postgres://user:password@h/db',
  'postgres://u:%s@h/db',
  'postgres://u:%(password)s@h/db',
  'postgres://u:${DB_PASS}@h/db',
  'postgres://%DB_USER%:%DB_PASS%@h/db',
  'http://h.example:8080/a@b',
  'redis://h:6379/0@x',
  'https://h.example:8080/@scope/x',
  'tool --password <password>',
  'tool --password-file pw1.txt',
  'tool --token TOKEN',
  'tool --max-tokens 4096',
  'tool --password',
  'the option --password asks twice2',
  'mysql -u root -p db1',
  'mysql -P3306 -h h',
  'curl -u $USER:$PASS https://h.example',
  'curl -u user: https://h.example',
  'curl -s https://h.example:8080/a1',
  'login as me with the password that was sent',
  'user=me password=<password>',
  'https://h.example/?token=TOKEN&pass=PASS',
  'Cookie: sid=<id>; theme=dark',
  'Set the X-Api-Key header to your key.',
  'credentials: "include"',
  'credentials = loadCredentials1(path)',
  'mkdir -p path/to2',
];

describe('secrets that are known by where they stand', () => {
  it.each(SECRET)('%s', (marked) => {
    const secret = /‹([^›]*)›/.exec(marked)?.[1] ?? '';
    const hidden = marked.replace(/‹[^›]*›/s, '[redacted]');
    const text = marked.replaceAll(/[‹›]/g, '');
    expect(shapes.text(text).replaceAll(/\[redacted \w[^\]]*\]/g, '[redacted]')).toBe(hidden);
    const stream = shapes.stream();
    const streamed = Array.from(`${text}\n`, (char) => stream.push(char)).join('') + stream.end();
    expect(streamed.includes(secret)).toBe(false);
  });

  it.each(ORDINARY)('leaves %s', (text) => {
    expect(shapes.text(text)).toBe(text);
  });

  it('takes the password of an address in a variable for a secret in its decoded form, too', () => {
    expect(secretValuesOf({DATABASE_URL: 'postgres://u:p%40ssw0rd@h/db'})).toEqual([
      'postgres://u:p%40ssw0rd@h/db',
      'p%40ssw0rd',
      'p@ssw0rd',
    ]);
  });
});
