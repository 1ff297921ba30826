import {describe, expect, it} from 'vitest';
import {byBaseRate} from '../../../src/lab/self-play/curriculum.ts';

describe('byBaseRate', () => {
  it('begins with tasks that are solved sometimes, then unknown ones, then those that are always or never solved', () => {
    const rates = new Map([
      ['always', {judged: 4, passed: 4}],
      ['never', {judged: 4, passed: 0}],
      ['tenth', {judged: 10, passed: 1}],
      ['half', {judged: 4, passed: 2}],
      ['not judged', {judged: 0, passed: 0}],
    ]);
    expect(byBaseRate(['always', 'unknown', 'never', 'not judged', 'tenth', 'half'], (task) => rates.get(task))).toEqual([
      'half',
      'tenth',
      'unknown',
      'not judged',
      'always',
      'never',
    ]);
  });
});
