import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../../src/base/errors.ts';
import {decide} from '../../../src/policy/evaluate/evaluate.ts';
import type {Rule} from '../../../src/policy/decision.ts';
import {hostSubjects} from '../../../src/tools/web/host-subjects.ts';
import {pageSubjects} from '../../../src/tools/web/page-subjects.ts';
import {webAddress} from '../../../src/tools/web/web-address.ts';

function names(url: string): string[] {
  return hostSubjects(webAddress(url)).map((subject) => (subject.kind === 'name' ? subject.name : ''));
}

function problem(url: string): string {
  try {
    return `accepted as ${webAddress(url).href}`;
  } catch (error) {
    const {code, message} = toFettleError(error);
    return `${code}: ${message}`;
  }
}

describe('webAddress', () => {
  it.each([
    [' https://Docs.Example./a b#part ', 'https://docs.example/a%20b'],
    ['http://0x7f000001/', 'http://127.0.0.1/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://docs.example:443/%E8%B3%87', 'https://docs.example/%E8%B3%87'],
  ])('%j is %s', (given, href) => {
    expect(webAddress(given).href).toBe(href);
  });

  it.each([
    ['docs.example/page', 'BAD_ARGS: The address cannot be read.'],
    ['https://docs.example%00.evil.example/', 'BAD_ARGS: The address cannot be read.'],
    ['https://docs.example:99999/', 'BAD_ARGS: The address cannot be read.'],
    ['file:///etc/passwd', 'BAD_ARGS: The address begins with file:.'],
    ['data:text/html,x', 'BAD_ARGS: The address begins with data:.'],
    ['https://docs.example@203.0.113.1/', 'BAD_ARGS: The address holds a name or a password.'],
    ['https://:secret@docs.example/', 'BAD_ARGS: The address holds a name or a password.'],
    ['https://docs.example/\u0000', 'BAD_ARGS: The address holds invisible or control characters.'],
    ['https://docs.ex\tample/', 'BAD_ARGS: The address holds invisible or control characters.'],
    ['https://docs.example/\u202egpj', 'BAD_ARGS: The address holds invisible or control characters.'],
    [`https://docs.example/${'a'.repeat(9000)}`, 'BAD_ARGS: The address is longer than 8192 characters.'],
  ])('%j is refused', (given, refused) => {
    expect(problem(given)).toBe(refused);
  });

  it('whatever is accepted is http or https, and names nobody', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({withFragments: true, withQueryParameters: true}), fc.string()), (text) => {
        const read = problem(text);
        if (!read.startsWith('accepted')) return;
        const {protocol, username, password, hash} = webAddress(text);
        expect({web: /^https?:$/.test(protocol), username, password, hash}).toEqual({web: true, username: '', password: '', hash: ''});
      }),
    );
  });
});

describe('what rules see of an address', () => {
  it('what no rule could allow is refused before a rule is asked', () => {
    expect(() => pageSubjects('http://localhost:3000/', undefined)).toThrow('localhost is an address of this machine');
    expect(() => pageSubjects('http://[::1]/', {secrets: [], privateHosts: ['localhost']})).toThrow('::1 is an address of this machine');
    expect(pageSubjects('https://localhost/', {secrets: [], privateHosts: ['localhost']})).toEqual([
      {kind: 'name', name: 'localhost', address: 'host'},
    ]);
  });

  it.each([
    ['allow', 'docs.example', 'https://docs.example/', 'allow'],
    ['allow', 'docs.example', 'http://docs.example/', 'ask'],
    ['allow', 'docs.example', 'https://docs.example:8443/', 'ask'],
    ['allow', '*.cdn.example', 'https://a.b.cdn.example/', 'allow'],
    ['allow', '*.cdn.example', 'https://cdn.example/', 'ask'],
    ['allow', '*.cdn.example', 'http://a.cdn.example/', 'ask'],
    ['allow', 'docs.example', 'https://docs.example/?k=AKIAIOSFODNN7EXAMPLE', 'ask'],
    ['deny', 'docs.example', 'https://docs.example/', 'deny'],
    ['deny', 'docs.example', 'http://docs.example:8080/', 'deny'],
    ['deny', 'docs.example', 'https://DOCS.example./', 'deny'],
    ['deny', '*.cdn.example', 'http://a.cdn.example:1/', 'deny'],
  ] as const)('%s %s: %s is %s (deny wide, allow narrow; CVE-2026-24052)', async (effect, pattern, url, verdict) => {
    const rules: Rule[] = [{text: `web_fetch:${pattern}`, effect, source: 'test'}];
    const request = {toolNames: ['web_fetch'], sideEffect: 'network', subjects: hostSubjects(webAddress(url))} as const;
    expect((await decide(request, {mode: 'ask', rules, fallback: 'ask'})).verdict).toBe(verdict);
  });

  it('the host, and host:port for all but https on port 443: a rule for a host allows neither clear text nor another port', () => {
    expect(names('https://docs.example/x')).toEqual(['docs.example']);
    expect(names('http://docs.example/x')).toEqual(['docs.example', 'docs.example:80']);
    expect(names('https://docs.example:8443/')).toEqual(['docs.example', 'docs.example:8443']);
    expect(names('https://[2606:4700::1111]/')).toEqual(['[2606:4700::1111]']);
  });

  it.each([
    '?k=AKIAIOSFODNN7EXAMPLE',
    '/ghp_abcdefghijklmnopqrstuvwxyz0123456789',
    '?t=%41KIAIOSFODNN7EXAMPLE',
    '?j=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x',
  ])('what looks like a key is a subject of its own: %s', (rest) => {
    expect(names(`https://docs.example${rest}`)).toEqual(['docs.example', 'docs.example with what looks like a key in the address']);
  });
});
