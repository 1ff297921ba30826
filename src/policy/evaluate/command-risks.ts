import {MAX_WORDS, pathConcern, type PathUse} from '../programs/command-paths.ts';
import {programRisks} from '../risks/program-risks.ts';
import type {Risk} from '../risks/risk.ts';
import type {LineCommand} from '../shell/shell-line.ts';
import {cdTarget, pathsOf, type ShellPath} from '../shell/shell-paths.ts';
import {programName, type ShellWord} from '../shell/shell-word.ts';
import type {LineContext} from './line-context.ts';
import {operandRisks} from './operand-risks.ts';

/** Returns the risks of a command: its options and words, its files, and the folder in which it runs. */
export function commandRisks(command: LineCommand, uses: readonly PathUse[], context: LineContext): readonly Risk[] {
  const risks = [...programRisks(withPlainNames(command.words, uses))];
  const risky = risks.length > 0;
  for (const use of uses) {
    const reason = pathConcern(command.words, use, risky);
    if (reason !== undefined) risks.push({index: use.index, reason, ...(isSource(use) ? {} : {isPlace: true})});
    else if (use.paths === undefined && programName(command.words) !== '')
      risks.push({index: use.index, reason: `the folder of ${use.text} is not known`});
  }
  risks.push(...operandRisks(command.words, {folders: context.folders, denied: context.rulesOfTool.deny}));
  const last = command.words.length - 1;
  if (last >= MAX_WORDS) risks.push({index: Infinity, reason: `has more than ${MAX_WORDS} words`});
  if (context.folders.bases.length !== 1 && programName(command.words) === 'git')
    risks.push({index: Infinity, reason: 'git in another folder loads the configuration there'});
  if (/^(?:cd|pushd)$/.test(programName(command.words)) && !movesInside(command, context))
    risks.push({index: last, reason: 'leaves the workspace', isPlace: true});
  return risks;
}

/** Devices that only supply bytes do not count as places. */
function isSource({paths = []}: PathUse): boolean {
  return paths.length > 0 && paths.every(({path}) => /^\/dev\/(?:zero|u?random|full)$/.test(path));
}

/** A glob whose files are known to begin with no dash becomes no option. */
function withPlainNames(words: readonly ShellWord[], uses: readonly PathUse[]): readonly ShellWord[] {
  const plain = new Set(uses.filter(({expanded}) => expanded === 'names').map(({index}) => index));
  return plain.size === 0 ? words : words.map((word, index) => (plain.has(index) ? {...word, value: `./${word.value ?? ''}`} : word));
}

/** True for a `cd` that stays in the workspace. */
export function movesInside(command: LineCommand, {folders, isLast}: LineContext): boolean {
  const target = cdTarget(command.words);
  const paths = target === undefined ? undefined : pathsOf(target, folders);
  const isInside = ({inside}: ShellPath): boolean => inside;
  return paths !== undefined && (isLast ? paths.some(isInside) : paths.every(isInside));
}
