import {expect, it} from 'vitest';
import {dollars, duration, percent, shortCount, signedPoints} from '../../../src/lab/report/figures.ts';

it('figures are short and say their unit', () => {
  expect([0, 0.000_01, 0.0123, 0.5, 12.345].map(dollars)).toEqual(['$0.00', '<$0.0001', '$0.0123', '$0.50', '$12.35']);
  expect([0, 999, 1000, 999_949, 999_950, 1_234_567, 2e9].map(shortCount)).toEqual(['0', '999', '1.0k', '999.9k', '1.0M', '1.2M', '2.0G']);
  expect([0, 999, 999.6, 4230, 59_600, 725_000, 11_100_000, 7_200_000].map(duration)).toEqual([
    '0 ms',
    '999 ms',
    '1.0 s',
    '4.2 s',
    '1 min',
    '12 min 5 s',
    '3 h 5 min',
    '2 h',
  ]);
  expect([0.8375, 1, 0].map(percent)).toEqual(['83.8 %', '100 %', '0 %']);
  expect([0.125, -0.125, 0, -0.0001].map(signedPoints)).toEqual(['+12.5', '−12.5', '+0.0', '+0.0']);
});
