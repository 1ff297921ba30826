import type {Risk} from './program-risks.ts';
import {textAt, type ShellWord} from '../shell/shell-word.ts';

/** `tar cIf …`: the first word may be a bundle of letters without a dash. */
export function tarBundleRisks(words: readonly ShellWord[]): Risk[] {
  const bundle = textAt(words, 1);
  return /^\w+$/.test(bundle) && /[IFP]/.test(bundle) ? [{index: 1, reason: `the letters ${bundle}`}] : [];
}
