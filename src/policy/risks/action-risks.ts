import {isNamed, type ProgramFacts} from '../programs/program-facts.ts';
import {textAt, type ShellWord} from '../shell/shell-word.ts';
import type {Risk} from './risk.ts';

/** Finds a sub-command such as `docker volume rm` among the first operands, at most preceded by values of options. */
export function actionRisks(words: readonly ShellWord[], {actions, texts}: ProgramFacts): Risk[] {
  if (actions === undefined) return [];
  const operands: {value: string; index: number}[] = [];
  for (const [index, {value = ''}] of words.entries()) {
    if (operands.length === FIRST_OPERANDS || value === '--') break;
    if (index > 0 && /^[^-\s]\S*$/.test(value) && !isNamed(texts, textAt(words, index - 1))) operands.push({value, index});
  }
  const text = operands.map(({value}) => `${value} `).join('');
  const found = anchored(actions).exec(text);
  if (found === null) return [];
  const last =
    text
      .slice(0, found.index + found[0].length)
      .trim()
      .split(' ').length - 1;
  return [{index: operands[last]?.index ?? words.length - 1, reason: `the subcommand ${found[0].trim()}`}];
}

const FIRST_OPERANDS = 4;

function anchored(actions: RegExp): RegExp {
  const known = anchoredActions.get(actions);
  if (known !== undefined) return known;
  const pattern = new RegExp(`(?<=^|\\s)(?:${actions.source})(?=\\s)`);
  anchoredActions.set(actions, pattern);
  return pattern;
}

const anchoredActions = new WeakMap<RegExp, RegExp>();
