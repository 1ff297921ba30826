import {expect, it} from 'vitest';
import {decide} from '../../src/policy/evaluate/evaluate.ts';
import type {Policy} from '../../src/policy/decision.ts';

it('in a sandbox full-auto opens no host that nobody named: reading and a way out are a leak (CVE-2025-55284, CVE-2026-54316)', async () => {
  const allow = {text: 'web_fetch:docs.example', effect: 'allow', source: 'x'} as const;
  const verdict = async (tool: string, names: readonly string[], policy: Partial<Policy>): Promise<string> => {
    const request = {
      toolNames: [tool],
      sideEffect: 'network' as const,
      subjects: names.map((name) => ({kind: 'name' as const, name})),
    };
    return (await decide(request, {mode: 'full-auto', rules: [allow], fallback: 'ask', ...policy})).verdict;
  };
  expect([
    await verdict('web_fetch', ['evil.example'], {sandboxed: true}),
    await verdict('web_fetch', ['docs.example'], {sandboxed: true}),
    await verdict('web_fetch', ['docs.example', 'docs.example:80'], {sandboxed: true}),
    await verdict('web_fetch', ['evil.example'], {sandboxed: false}),
    await verdict('web_search', ['engine.example'], {sandboxed: true}),
    await verdict('mcp__a__b', [], {sandboxed: true}),
  ]).toEqual(['ask', 'allow', 'ask', 'allow', 'allow', 'allow']);
});
