import {describe, expect, it} from 'vitest';
import {continueLine} from '../../../../src/hosts/tui/editor/continue-line.ts';
import {editorAt, shown} from './typed.ts';

describe('Enter behind a backslash', () => {
  it.each([
    ['one\\|', 'one\n|'],
    ['one\\|\ntwo', 'one\n|\ntwo'],
    ['\\|', '\n|'],
    ['\\\\\\|', '\\\\\n|'],
    ['C:\\\\|', undefined],
    ['a\\|b', undefined],
    ['one|', undefined],
  ])('%j: %j', (before, wanted) => {
    const state = continueLine(editorAt(before));
    expect(state === undefined ? undefined : shown(state)).toBe(wanted);
  });
});
