import assert from 'node:assert/strict';
import {test} from 'node:test';
import {format, parse} from '../src/index.js';

test('parse reads one unit', () => {
  assert.equal(parse('45s'), 45_000);
  assert.equal(parse('2d'), 172_800_000);
});

test('parse adds several units, with or without blanks', () => {
  assert.equal(parse('1h 30m'), 5_400_000);
  assert.equal(parse('1h30m'), 5_400_000);
});

test('parse reads fractions', () => {
  assert.equal(parse('1.5h'), 5_400_000);
});

test('parse refuses what is not a duration', () => {
  for (const text of ['', '5', 'h', '5x', '1h and 5m']) assert.throws(() => parse(text), RangeError);
});

test('format writes the longest units first', () => {
  assert.equal(format(93_784_005), '1d 2h 3m 4s 5ms');
  assert.equal(format(0), '0s');
});

test('parse reads what format wrote', () => {
  for (const milliseconds of [90_000, 1_250, 93_784_005]) assert.equal(parse(format(milliseconds)), milliseconds);
});
