import {textAt, type ShellWord} from '../shell/shell-word.ts';
import type {Risk} from './risk.ts';

/** `tar cIf …`: the first word may be a bundle of letters without a dash. */
export function tarBundleRisks(words: readonly ShellWord[]): Risk[] {
  const bundle = textAt(words, 1);
  return /^\w+$/.test(bundle) && /[IFP]/.test(bundle) ? [{index: 1, reason: `the letters ${bundle}`}] : [];
}
