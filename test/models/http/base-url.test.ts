import {describe, expect, it} from 'vitest';
import {completeBaseUrl} from '../../../src/models/http/base-url.ts';

describe('completeBaseUrl', () => {
  it.each([
    ['openai-chat', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080/v1'],
    ['openai-chat', 'http://127.0.0.1:8080/', 'http://127.0.0.1:8080/v1'],
    ['openai-chat', 'https://llm.test/openai/v4/', 'https://llm.test/openai/v4'],
    ['openai-responses', 'https://api.test/v1', 'https://api.test/v1'],
    ['anthropic', 'https://api.test', 'https://api.test'],
    ['anthropic', 'https://api.test/v1/', 'https://api.test'],
    ['anthropic', 'https://proxy.test/claude/v1', 'https://proxy.test/claude'],
    ['gemini', 'https://api.test', 'https://api.test/v1beta'],
    ['gemini', 'https://api.test/v1', 'https://api.test/v1'],
  ] as const)('%s at %s', (format, given, complete) => {
    expect(completeBaseUrl(given, format)).toBe(complete);
  });
});
