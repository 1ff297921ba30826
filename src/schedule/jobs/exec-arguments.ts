import type {JobDefinition} from './job-definition.ts';

/**
 * Returns the arguments by which `fettle` runs a job: `exec`, each right of the job as an option, and `--explicit-rights`, so that nothing else
 * allows it anything. Throws nothing; a reminder has no run, and its arguments are empty.
 */
export function execArguments({action, workspace, rights}: Pick<JobDefinition, 'action' | 'workspace' | 'rights'>): readonly string[] {
  if (action.kind === 'reminder') return [];
  const one = (option: string, value: string | number | undefined): string[] => (value === undefined ? [] : [`${option}=${value}`]);
  const each = (option: string, values: readonly string[]): string[] => values.flatMap((value) => one(option, value));
  return [
    'exec',
    '--json',
    '--explicit-rights',
    ...one('--cwd', workspace),
    ...one('--model', rights.model),
    ...one('--toolset', rights.toolset),
    ...one('--mode', rights.mode),
    ...one('--sandbox', rights.sandbox),
    ...each('--allow', rights.allow),
    ...each('--ask', rights.ask),
    ...each('--deny', rights.deny),
    ...each('--allow-domain', rights.domains),
    ...each('--verify', rights.verify),
    ...one('--max-turns', rights.maxTurns),
    ...one('--max-tokens', rights.maxTokens),
    ...one('--max-cost', plainNumber(rights.maxCostUsd)),
    ...one('--max-time', plainNumber(rights.maxTimeS)),
    '--',
    action.prompt,
  ];
}

/** Without an exponent, which no option takes. */
function plainNumber(value: number | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/, '') : text;
}
