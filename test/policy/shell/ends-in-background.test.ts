import {describe, expect, it} from 'vitest';
import {endsInBackground} from '../../../src/policy/shell/ends-in-background.ts';

describe('a check that did not finish did not pass', () => {
  it.each([
    ['npm test &', true],
    ['npm test && npm run lint &', true],
    ['server & npm test', false],
    ['npm test', false],
    ['npm test 2>&1', false],
    ['npm test &> out.txt', false],
    ['echo "a &"', false],
    ['', false],
    ['(((((', false],
    [`${'('.repeat(20_000)}&`, false],
  ])('%j: %j', async (line, expected) => {
    expect(await endsInBackground(line)).toBe(expected);
  });
});
