import {visibleText} from '../../base/visible-text.ts';

export interface CleanText {
  readonly text: string;
  /** Number of invisible characters in it. */
  readonly hidden: number;
}

/**
 * Cleans text so that it cannot hide anything: control characters are removed, invisible and direction-changing
 * ones escaped, so that the model reads what a person would be shown ("Rules File Backdoor", Pillar Security
 * 2025).
 */
export function cleanText(text: string): CleanText {
  const plain = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const clean = visibleText(plain);
  return {text: clean, hidden: count(clean, ESCAPED) - count(plain, ESCAPED) + count(plain, CONTROL)};
}

const ESCAPED = /\\u(?:[0-9a-f]{4}|\{[0-9a-f]+\})/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is counted
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
