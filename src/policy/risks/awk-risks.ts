import {isPlainAwk} from './awk-program.ts';
import {textAt, type ShellWord} from '../shell/shell-word.ts';
import type {Risk} from './risk.ts';

/** awk: options that are known, and a program that only computes and prints. */
export function awkRisks(words: readonly ShellWord[]): Risk[] {
  let index = 1;
  while (/^-./.test(textAt(words, index)) && textAt(words, index) !== '--') {
    const option = textAt(words, index);
    if (!/^-[Fv]/.test(option)) return [{index, reason: `the option ${option}`}];
    index += option.length === 2 ? 2 : 1;
  }
  if (textAt(words, index) === '--') index += 1;
  if (index >= words.length) return [];
  const isPlain = words[index]?.glob !== true && isPlainAwk(textAt(words, index));
  return isPlain ? [] : [{index, reason: 'an awk program that may write or run something'}];
}
