import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {createRedactor, rememberSecrets} from '../../src/base/redact.ts';
import {secretValuesOf} from '../../src/base/secret-variables.ts';

const shapes = createRedactor({shapes: true});
/** Put together here, so that no scanner takes this file for a leak. */
const x = (length: number): string => 'Ab1'.repeat(length).slice(0, length);
const pem = (kind: string, glue: string): string => [`-----BEGIN ${kind}-----`, x(64), x(20), `-----END ${kind}-----`].join(glue);

describe('shapes of secrets', () => {
  it.each([
    ['private key', pem('RSA PRIVATE KEY', '\n')],
    ['private key', pem('PRIVATE KEY', '\r\n')],
    ['private key', pem('OPENSSH PRIVATE KEY', String.raw`\n`)],
    ['private key', pem('PGP PRIVATE KEY BLOCK', '\n')],
    ['private key', `-----BEGIN EC PRIVATE KEY-----\n${x(64)}\n${x(64)}`],
    ['Anthropic key', `sk-ant-${x(40)}`],
    ['API key', `sk-proj-${x(40)}`],
    ['API key', `sk-${x(48)}`],
    ['GitHub token', `ghp_${x(36)}`],
    ['GitHub token', `ghs_${x(36)}`],
    ['GitHub token', `github_pat_${x(60)}`],
    ['GitLab token', `glpat-${x(20)}`],
    ['AWS key id', `AKIA${'Q7'.repeat(8)}`],
    ['AWS key id', `ASIA${'Q7'.repeat(8)}`],
    ['Google key', `AIza${x(35)}`],
    ['Google token', `GOCSPX-${x(28)}`],
    ['Slack token', `xoxb-${x(30)}`],
    ['Slack token', `xapp-1-${x(30)}`],
    ['Stripe key', `sk_live_${x(24)}`],
    ['Stripe key', `whsec_${x(32)}`],
    ['npm token', `npm_${x(36)}`],
    ['PyPI token', `pypi-Ag${x(60)}`],
    ['Hugging Face token', `hf_${x(34)}`],
    ['SendGrid key', `SG.${x(22)}.${x(43)}`],
    ['Vault token', `hvs.${x(90)}`],
    ['DigitalOcean token', `dop_v1_${'0a'.repeat(32)}`],
    ['Shopify token', `shpat_${'0a'.repeat(16)}`],
    ['age key', `AGE-SECRET-KEY-1${'Q7'.repeat(29)}`],
    ['JSON Web Token', `eyJ${x(20)}.eyJ${x(20)}.${x(43)}`],
    ['JSON Web Token', `eyJ${x(20)}..${x(16)}.${x(40)}.${x(22)}`],
  ])('a %s is hidden, alone, quoted, assigned and in JSON text', (kind, secret) => {
    const told = `[redacted ${kind}]`;
    expect(shapes.text(secret)).toBe(told);
    expect(shapes.text(`x: (${secret}) y`)).toBe(`x: (${told}) y`);
    expect(shapes.text(`a\\n${secret}`)).toBe(`a\\n${told}`);
    expect(shapes.text(JSON.stringify({a: secret}))).not.toContain(x(20));
    expect(shapes.text(shapes.text(secret))).toBe(told);
  });

  it.each([
    ['https://user:hunter2@h.example/x', 'https://user:[redacted password]@h.example/x'],
    ['postgres://app:pa55:word@db/x', 'postgres://app:[redacted password]@db/x'],
    ['redis://:hunter2@cache', 'redis://:[redacted password]@cache'],
    [`Authorization: Bearer ${x(30)}`, 'Authorization: Bearer [redacted authorization]'],
    ['"authorization": "Basic dXNlcjpodW50ZXIy"', '"authorization": "Basic [redacted authorization]"'],
    [`curl -H 'Authorization: token ${x(40)}'`, "curl -H 'Authorization: token [redacted authorization]'"],
    [`the header was Bearer ${x(30)}.`, 'the header was Bearer [redacted authorization]'],
    ['DB_PASSWORD=hunter2', 'DB_PASSWORD=[redacted secret]'],
    ['DB_PASSWORD=six6ch', 'DB_PASSWORD=[redacted secret]'],
    ['export MY_SECRET="s3cr3t!"', 'export MY_SECRET="[redacted secret]"'],
    [`AWS_SECRET_ACCESS_KEY=${x(20)}/${x(19)}`, 'AWS_SECRET_ACCESS_KEY=[redacted secret]'],
    [`aws_secret_access_key = ${x(20)}/${x(19)}`, 'aws_secret_access_key = [redacted secret]'],
    [`"apiKey": "${'3f2a9c4e'.repeat(4)}"`, '"apiKey": "[redacted secret]"'],
    ['password: "hunter22A"', 'password: "[redacted secret]"'],
    [`AccountKey=${x(80)}==;EndpointSuffix=x`, 'AccountKey=[redacted secret];EndpointSuffix=x'],
  ])('%s', (text, expected) => {
    expect(shapes.text(text)).toBe(expected);
  });

  it.each([
    'task-0123456789abcdef0123456789abcdef0123',
    'sk-short',
    'disk-sk-0123456789abcdef0123456789abcdef',
    'sk-folding-cube-and-other-names-of-spinners',
    'AKIAABCDEFGHIJKLMNOPQRS',
    '-----BEGIN PRIVATE KEY----- is how a key begins, and the text goes on.',
    '550e8400-e29b-41d4-a716-446655440000',
    'token=550e8400-e29b-41d4-a716-446655440000',
    'password = getpass()',
    'password = os.environ["PASSWORD1"]',
    'const token = await getToken2();',
    'token: request.headers.token1',
    'PASSWORD=$DB_PASSWORD',
    'PASSWORD=${DB_PASSWORD1}',
    'PASSWORD_FILE=/run/secrets/password1',
    'TOKEN_URL=https://h.example/token1',
    'max_tokens=4096000',
    'secretName: my-app-v2-secret',
    'password: string; token2: number',
    'PASSWORD=changeme',
    'DB_PASSWORD=five5',
    'https://user:password@h.example',
    'https://h.example:8080/@scope/x',
    'git@github.com:o/r.git',
    'sha512-oVgvRl/fxG8wMlVSNKrUoLL4Y1i7Wt2pQTMbxZ8o9KN7MrSMYH5L7ZHFbWfXUJoLUP2b1lYxhjJcPyl8KWjnhg==',
    'commit 1f3870be274f6c49b3e31a0c6728957f1f3870be',
    'Bearer authentication is described in RFC 6750',
    'Authorization: Bearer <token>',
  ])('leaves %s', (harmless) => {
    expect(shapes.text(harmless)).toBe(harmless);
  });

  it('of the sources, documents and lockfile of Fettle nothing is hidden but what stands there as an example', () => {
    const root = join(import.meta.dirname, '../..');
    const files = ['src', 'docs'].flatMap((folder) =>
      readdirSync(join(root, folder), {recursive: true, withFileTypes: true})
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    );
    const hidden = [...files, join(root, 'package-lock.json')].flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      const clean = shapes.text(text);
      return clean === text ? [] : text.split('\n').filter((line) => shapes.text(line) !== line);
    });
    // An example in a comment now and then, no more.
    expect(hidden.length, hidden.join('\n')).toBeLessThan(files.length / 50);
  });

  it('leaves pictures and archives in base64, and hashes, alone', () => {
    const base64 = fc.uint8Array({minLength: 1000, maxLength: 5000}).map((bytes) => Buffer.from(bytes).toString('base64'));
    const hash = fc.uint8Array({minLength: 32, maxLength: 32}).map((bytes) => Buffer.from(bytes).toString('hex'));
    fc.assert(
      fc.property(base64, hash, (picture, digest) => {
        const text = `![](data:image/png;base64,${picture})\nsha256:${digest}  x`;
        expect(shapes.text(text)).toBe(text);
      }),
    );
  });
});

describe('known values', () => {
  const secret = 'kTz/9+q w&ü"7<f>';
  const known = createRedactor({secrets: [secret, 'sesame-open'], shapes: false});

  it.each([
    ['as it is', (text: string) => text],
    ['in JSON', (text: string) => JSON.stringify(text).slice(1, -1)],
    ['in JSON in JSON', (text: string) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1)],
    ['in an address', encodeURIComponent],
    ['in an address, small letters', (text: string) => encodeURIComponent(text).replaceAll(/%../g, (code) => code.toLowerCase())],
    ['in a form', (text: string) => encodeURIComponent(text).replaceAll('%20', '+')],
    ['in hex', (text: string) => Buffer.from(text).toString('hex')],
    ['in HTML', (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')],
  ])('are hidden %s', (_, spell) => {
    expect(known.text(`a ${spell(secret)} b`)).toBe('a [redacted] b');
  });

  it('are hidden in base64 at any offset, as in `Authorization: Basic`', () => {
    for (const before of ['', 'u', 'us', 'usr:', 'user:']) {
      const text = Buffer.from(`${before}${secret}`).toString('base64');
      expect(known.text(text)).toMatch(/^.{0,8}\[redacted\].{0,3}$/);
      expect(known.text(Buffer.from(`${before}${secret}`).toString('base64url'))).toContain('[redacted]');
    }
  });

  it('are hidden in names of fields, and lists of any depth', () => {
    expect(known.value({[`x-${secret}`]: [{a: secret}], b: 1, c: null})).toEqual({'x-[redacted]': [{a: '[redacted]'}], b: 1, c: null});
    let deep: unknown = secret;
    for (let level = 0; level < 10_000; level++) deep = [deep];
    expect(JSON.stringify(known.value(deep))).not.toContain(secret);
  });

  it('that are learned later count for redactors that were made before', () => {
    const redactor = createRedactor({shapes: false});
    expect(redactor.text('learned-later')).toBe('learned-later');
    rememberSecrets(['learned-later', 'ab']);
    expect(redactor.text('ab learned-later')).toBe('ab [redacted]');
  });

  it('each line of a secret of several lines counts', () => {
    const key = createRedactor({secrets: [pem('X PRIVATE KEY', '\n')], shapes: false});
    expect(key.text(`> ${x(64)}`)).toBe('> [redacted]');
  });
});

describe('streams', () => {
  const redactor = createRedactor({secrets: ['sesame-open', 'sesame', 'open sesame 2'], shapes: true});
  const part = fc.constantFrom(
    'plain words ',
    'sesame-open',
    'sesam',
    'open sesame 2',
    ' ',
    '\n',
    `ghp_${x(36)}`,
    'DB_PASSWORD=hunter2',
    'password: "hunter22A"',
    `Authorization: Bearer ${x(30)}`,
    pem('RSA PRIVATE KEY', '\n'),
    'https://user:hunter2@h.example/x',
    `eyJ${x(20)}.eyJ${x(20)}.${x(43)}`,
  );

  it('a secret is found however the text is cut, and nothing else changes', () => {
    const glue = fc.constantFrom(' ', '', '\\n', '\\r', '\\\\n', '\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(part, glue), {maxLength: 8}), fc.array(fc.nat(600), {maxLength: 12}), (parts, cuts) => {
        const whole = parts.flat().join('');
        const places = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
        const stream = redactor.stream();
        const shown = places.slice(1).map((end, index) => stream.push(whole.slice(places[index], end)));
        expect([...shown, stream.end()].join('')).toBe(redactor.text(whole));
      }),
      {numRuns: 500},
    );
  });

  it.each([
    ['a key directly behind another', `${pem('RSA PRIVATE KEY', '\n')}${pem('RSA PRIVATE KEY', '\n')}`],
    ['a value directly in front of a key', `a sesame-open${pem('RSA PRIVATE KEY', '\n')}\nb`],
    ['a token behind an escaped newline, in front of a word that may begin a header', `a\\nghp_${x(36)}bearer x`],
    ['a header behind an escaped return', `a\\rBearer ${x(30)} b`],
  ])('%s is hidden in pieces of any size', (_, text) => {
    for (const size of [1, 50, 1000]) {
      const stream = redactor.stream();
      let shown = '';
      for (let at = 0; at < text.length; at += size) shown += stream.push(text.slice(at, at + size));
      shown += stream.end();
      expect([size, shown]).toEqual([size, redactor.text(text)]);
      expect(shown).not.toMatch(/Ab1Ab1|sesame/);
    }
  });

  it('holds back no more than a word of ordinary text', () => {
    const stream = redactor.stream();
    expect([stream.push('one two thr'), stream.push('ee four'), stream.push('.\n'), stream.end()]).toEqual([
      'one two ',
      'three ',
      'four.\n',
      '',
    ]);
  });
});

describe('time', () => {
  it('is linear: a megabyte of anything takes no more than some passes over it', () => {
    const many = createRedactor({
      secrets: Array.from({length: 50}, (_, index) => `s3cr3t-value-number-${index}-${x(index)}`),
      shapes: true,
    });
    const texts = [
      'ordinary text, with words and 1234 numbers. ',
      'secret=',
      'password:',
      'authorization:',
      'bearer ',
      '://a:',
      'eyJabcdefgh.',
      '-----BEGIN PRIVATE KEY-----',
      '-----BEGIN PRIVATE KEY-----\n',
      'token="',
      'ghp_',
      'a',
      ' ',
      's3cr3t-value-number-',
    ].map((piece) => piece.repeat(1_000_000 / piece.length));
    const passOf = (text: string): number => {
      const began = process.cpuUsage().user;
      let hash = 0;
      for (let at = 0; at < text.length; at++) hash = ((hash << 5) ^ text.charCodeAt(at)) & 0x7fff;
      expect(hash).toBeGreaterThanOrEqual(0);
      return process.cpuUsage().user - began;
    };
    for (const text of texts) {
      passOf(text);
      many.text(text.slice(0, 1000));
      const pass = Math.max(1000, passOf(text));
      const began = process.cpuUsage().user;
      many.text(text);
      expect((process.cpuUsage().user - began) / pass, text.slice(0, 30)).toBeLessThan(500);
    }
  });
});

describe('what is very long', () => {
  it('a private key of 20 MB, with and without lines, is hidden and breaks no stack', () => {
    const body = `${x(64)}\n`.repeat(300_000);
    const begin = '-----BEGIN PRIVATE KEY-----\n';
    expect(shapes.text(`a ${begin}${body}-----END PRIVATE KEY----- b`)).toBe('a [redacted private key] b');
    expect(shapes.text(`a ${begin}${body}! b`)).toBe('a [redacted private key]\n! b');
    expect(shapes.text(`a ${begin}${'A'.repeat(20_000_000)} b`)).toBe('a [redacted private key] b');
    expect(shapes.text(`a ${begin}${' '.repeat(20_000_000)}b`).length).toBe(20_000_031);
  });

  it('in small pieces it costs a small multiple of what it costs at once: what is held back is not read anew for each piece', () => {
    const redactor = createRedactor({secrets: ['sesame-open'], shapes: true});
    const cpuOf = (work: () => unknown): number => {
      const before = process.cpuUsage();
      work();
      const {user, system} = process.cpuUsage(before);
      return user + system;
    };
    const dear: string[] = [];
    for (const piece of ['x', `${'x'.repeat(8000)} `, 'secret', `-----BEGIN PRIVATE KEY-----\n${`${x(64)}\n`.repeat(400)}! `, '\\', ' ']) {
      const text = piece.repeat(200_000 / piece.length);
      const inPieces = (size: number): void => {
        const stream = redactor.stream();
        for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
        stream.end();
      };
      const once = Math.min(...[1, 2, 3].map(() => cpuOf(() => redactor.text(text))));
      for (const size of [64, 4096]) {
        const times = Math.min(...[1, 2].map(() => cpuOf(() => inPieces(size)))) / Math.max(500, once);
        if (times > 600) dear.push(`${piece.slice(0, 30)} by ${size}: ${Math.round(times)} times`);
      }
    }
    expect(dear).toEqual([]);
  });
});

describe('names of fields', () => {
  it('a name that was clean is a secret as soon as its text is remembered as one', () => {
    const redactor = createRedactor({shapes: true});
    const value = {once_an_ordinary_name: 1};
    expect([redactor.value(value), redactor.name('once_an_ordinary_name')]).toEqual([value, 'once_an_ordinary_name']);
    rememberSecrets(['once_an_ordinary_name']);
    expect([redactor.value(value), redactor.name('once_an_ordinary_name')]).toEqual([{'[redacted]': 1}, '[redacted]']);
  });
  it('a name with a secret is redacted each time', () => {
    const name = `sk-${x(48)}`;
    expect([1, 2, 3].map(() => shapes.name(name))).toEqual(Array.from({length: 3}, () => '[redacted API key]'));
  });
});

describe('variables', () => {
  it('named like secrets give their values, and addresses their passwords', () => {
    expect(
      secretValuesOf({
        OPENAI_API_KEY: 'value-one-1',
        GITHUB_TOKEN: 'value-two-2',
        DB_PASSWORD: 'value-three',
        DATABASE_URL: 'postgres://app:pass-word@db/x',
        SSH_AUTH_SOCK: '/tmp/ssh-1/agent.1',
        AWS_ACCESS_KEY_ID: 'value-four-4',
        KEY_FILE: '/etc/keys/one.pem',
        GPG_KEY: '/home/u/keys/one',
        API_TOKEN: 'short',
        TOKEN_TTL: '1234567890',
        PATH: '/usr/bin:/bin/x',
        HOME: '/home/someone',
      }),
    ).toEqual(['value-one-1', 'value-two-2', 'value-three', 'postgres://app:pass-word@db/x', 'pass-word']);
  });
});
