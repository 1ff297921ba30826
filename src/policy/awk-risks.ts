import type {Risk} from './program-risks.ts';
import {textAt, type ShellWord} from './shell-word.ts';

/** awk: no `system`, `getline`, indirect calls and includes; nothing behind a `print` that looks like a redirect or pipe; known options. */
export function awkRisks(words: readonly ShellWord[]): Risk[] {
  let index = 1;
  while (/^-./.test(textAt(words, index)) && textAt(words, index) !== '--') {
    const option = textAt(words, index);
    if (!/^-[Fv]/.test(option)) return [{index, reason: `the option ${option}`}];
    index += option.length === 2 ? 2 : 1;
  }
  if (textAt(words, index) === '--') index += 1;
  if (index >= words.length) return [];
  const program = textAt(words, index);
  // Words and signs are looked for in strings and patterns, too: where those end is awk's own affair.
  const risky = program === '' || /system|getline|@|print[\s\S]*[>|]|\bfflush|\bclose|\bENVIRON|\bARG[VC]|\bPROCINFO/.test(program);
  return risky ? [{index, reason: 'an awk program that may write or run something'}] : [];
}
