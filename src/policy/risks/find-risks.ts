import {textAt, type ShellWord} from '../shell/shell-word.ts';
import type {Risk} from './risk.ts';

/** find: the actions that run, write or delete. The word after a test (`-name -exec`) is its value. */
export function findRisks(words: readonly ShellWord[]): Risk[] {
  const risks: Risk[] = [];
  for (let index = 1; index < words.length; index += 1) {
    const value = textAt(words, index);
    if (FIND_VALUED.test(value)) index += 1;
    else if (FIND_ACTION.test(value)) risks.push({index, reason: `the action ${value}`});
  }
  return risks;
}

/** The tests whose value is a pattern or text, never a file that is looked into. */
export function isFindPattern(option: string): boolean {
  return /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|regextype|printf)$/.test(option);
}

const FIND_VALUED =
  /^-(?:i?name|i?path|i?wholename|i?regex|i?lname|regextype|x?type|size|perm|user|group|uid|gid|newer\w*|[acm](?:time|min)|anewer|cnewer|(?:max|min)depth|links|inum|printf|fstype|used|samefile|context)$/;
const FIND_ACTION = /^-(?:exec(?:dir)?|ok(?:dir)?|delete|fprintf?|fprint0|fls|files0-from|follow|L)$/;
