import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {isJobName, nameFrom, requireJobName} from '../../../src/schedule/jobs/job-name.ts';

describe('names of jobs', () => {
  it.each([
    ['Update the dependencies, and tell me.', [], 'update-the-dependencies-and'],
    ['Update the dependencies', ['update-the-dependencies'], 'update-the-dependencies-2'],
    ['Führe die Prüfungen aus', [], 'fuhre-die-prufungen-aus'],
    ['检查', [], 'job'],
    ['检查', ['job', 'job-2'], 'job-3'],
    ['a'.repeat(80), [], 'a'.repeat(40)],
    [`one ${'a'.repeat(80)} two`, [], 'one-two'],
  ])('%j beside %j: %s', (text, taken, name) => {
    expect(nameFrom(text, taken)).toBe(name);
  });

  it('whatever the text, the name is one (property)', () => {
    fc.assert(fc.property(fc.string({unit: 'grapheme'}), (text) => isJobName(nameFrom(text, []))));
  });

  it.each(['', 'A', 'a_b', '-a', 'a-', 'a--b', '../a', 'a/b', 'a.b', 'a'.repeat(65), 'ä'])('%j is none', (name) => {
    expect(() => requireJobName(name)).toThrow(expect.objectContaining({code: 'USAGE', message: `"${name}" cannot be the name of a job.`}));
  });
});
