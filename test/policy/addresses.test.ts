import {describe, expect, it} from 'vitest';
import {normalUri} from '../../src/base/normal-uri.ts';
import {decide} from '../../src/policy/evaluate/evaluate.ts';
import type {Rule, Subject} from '../../src/policy/decision.ts';

async function judged(subject: Subject, rule: string, effect: Rule['effect']): Promise<string> {
  const policy = {mode: 'ask', rules: [{text: rule, effect, source: 'test'}], fallback: 'ask'} as const;
  const {verdict, reason} = await decide({toolNames: ['mcp__fs', 'web_fetch'], sideEffect: 'network', subjects: [subject]}, policy);
  return `${verdict}: ${reason}`;
}

function resource(text: string): Subject {
  const normal = normalUri(text);
  return {kind: 'name', name: 'uri' in normal ? normal.uri : text, address: 'uri'};
}

const host = (name: string): Subject => ({kind: 'name', name, address: 'host'});

describe('rules for resources', () => {
  it.each([
    ['file:///docs/../etc/passwd', 'file:///etc/*'],
    ['FILE:///etc/passwd', 'file:///etc/*'],
    ['file:///%65tc/passwd', 'file:///etc/*'],
    ['file:///docs/..%2fetc/passwd', 'file:///etc/*'],
    ['file:///docs/..%5cetc%5cpasswd', 'file:///etc/*'],
    ['file:///docs/%252e%252e/etc/passwd', 'file:///etc/*'],
    ['file:///docs/..;x/etc/passwd', 'file:///etc/*'],
    ['file:///docs/%3F/..%2f..%2fetc/passwd', 'file:///etc/*'],
    ['file:////etc/passwd', 'file:///etc/passwd'],
    ['file:///etc/passwd/', 'file:///etc/passwd'],
    ['file:///etc/passwd?x', 'file:///etc/passwd'],
    ['file:///etc/passwd#x', 'file:///etc/passwd'],
    ['file://other/etc/passwd', 'file:///etc/passwd'],
    ['file://etc/passwd', 'file:///etc/passwd'],
    ['file:///ETC/passwd', 'file:///etc/passwd'],
    ['file:///\uff45tc/passwd', 'file:///etc/*'],
    ['file:///e%E2%80%8Dtc/passwd', 'file:///etc/*'],
    ['file:///etc/passwd', 'FILE:///etc/../%65tc/*'],
    ['file:///my%20notes/a', 'file:///my notes/*'],
    ['db://prod/users', 'db://Prod/*'],
    ['db://PROD/users', 'db://prod/*'],
    ['db://prod//users', 'db://prod/users'],
    ['db://prod/users?all', 'db://prod/users'],
    ['db://me:pw@prod/users', 'db://prod/*'],
    ['docs://public%2F..%2Fsecret', 'docs://secret'],
    ['memo:notes/../secret', 'memo:secret'],
    ['http://EXAMPLE.com:80/secret', 'http://example.com/secret'],
    ['https://example.com', 'https://example.com/*'],
  ])('%s is denied by %s', async (uri, pattern) => {
    const subject = resource(uri);
    expect(await judged(subject, `mcp__fs:${pattern}`, 'deny')).toBe(
      `deny: ${subject.kind === 'name' ? subject.name : ''} is denied by mcp__fs:${pattern} (test)`,
    );
  });

  it.each([
    ['file:///docs/../etc/passwd', 'file:///docs/*'],
    ['file:///docs/..%2fetc/passwd', 'file:///docs/*'],
    ['file:///docs/..%5cetc', 'file:///docs/*'],
    ['file:///docs/%252e%252e/etc/passwd', 'file:///docs/*'],
    ['file:///etc/passwd?.md', '*.md'],
    ['file:///etc/passwd#.md', '*.md'],
    ['docs://public/..%2Fsecret', 'docs://public/*'],
    ['memo:notes/../secret', 'memo:notes/*'],
    ['file:///DOCS/a', 'file:///docs/*'],
  ])('%s is not allowed by %s', async (uri, pattern) => {
    const subject = resource(uri);
    expect(await judged(subject, `mcp__fs:${pattern}`, 'allow')).toBe(
      `ask: ${subject.kind === 'name' ? subject.name : ''}: no rule allows it`,
    );
  });

  it.each([
    ['file:///docs/a.md', 'file:///docs/*'],
    ['FILE:///docs/./a%2emd', 'file:///docs/*'],
    ['file:///docs/a b.md', 'file:///docs/*'],
    ['file:///docs/日本.md', 'file:///docs/*'],
    ['repo://owner%2Fname/src%2Fmain.ts', 'repo://*'],
    ['repo://owner%2Fname/src%2Fmain.ts', 'repo://owner%2Fname/src%2Fmain.ts'],
    ['search://q?term=50%25', 'search://q?term=*'],
    ['https://example.com', 'https://example.com'],
  ])('%s is allowed by %s', async (uri, pattern) => {
    const subject = resource(uri);
    expect(await judged(subject, `mcp__fs:${pattern}`, 'allow')).toBe(
      `allow: ${subject.kind === 'name' ? subject.name : ''} is allowed by mcp__fs:${pattern} (test)`,
    );
  });

  it.each([
    ['file:///docs/a.md', 'file:///doc'],
    ['file:///etc2/a', 'file:///etc/*'],
    ['db://prod/users', 'db://prod/user'],
    ['db://prod/users?secret', 'db://prod/secret'],
  ])('%s is not denied by %s', async (uri, pattern) => {
    expect(await judged(resource(uri), `mcp__fs:${pattern}`, 'deny')).toBe(`ask: ${uri}: no rule allows it`);
  });
});

describe('rules for hosts', () => {
  it.each([
    ['example.com', 'Example.COM'],
    ['example.com', 'example.com.'],
    ['example.com', 'example.com:443'],
    ['example.com', 'https://example.com/*'],
    ['www.example.com', 'https://*.example.com'],
    ['xn--bcher-kva.example', 'bücher.example'],
    ['www.xn--bcher-kva.example', '*.bücher.example'],
    ['127.0.0.1', '0x7f.1'],
    ['[::1]', '[0:0:0:0:0:0:0:1]'],
    ['example.com:8443', 'EXAMPLE.com:8443'],
  ])('%s is denied by %s', async (name, pattern) => {
    expect(await judged(host(name), `web_fetch:${pattern}`, 'deny')).toBe(`deny: ${name} is denied by web_fetch:${pattern} (test)`);
  });

  it.each([
    ['example.com', 'Example.COM'],
    ['example.com', 'https://example.com/*'],
    ['evil-example.com', '*.example.com'],
    ['example.com:8443', 'example.com'],
  ])('%s is not allowed by %s', async (name, pattern) => {
    expect(await judged(host(name), `web_fetch:${pattern}`, 'allow')).toBe(`ask: ${name}: no rule allows it`);
  });

  it('a caution is asked about whatever is allowed, in every mode, and denied where a rule denies it', async () => {
    const subject: Subject = {kind: 'name', name: 'a.example', address: 'host', caution: 'it holds a secret'};
    expect(await judged(subject, 'web_fetch', 'allow')).toBe('ask: a.example: it holds a secret');
    expect(await judged(subject, 'web_fetch', 'deny')).toBe('deny: a.example is denied by web_fetch (test)');
    const open = {mode: 'full-auto', rules: [], fallback: 'allow'} as const;
    expect(await decide({toolNames: ['web_fetch'], sideEffect: 'network', subjects: [subject]}, open)).toMatchObject({verdict: 'ask'});
  });
});
