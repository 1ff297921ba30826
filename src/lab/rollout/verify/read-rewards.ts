import {isFettleError} from '../../../base/errors.ts';
import {isJsonObject, parseJson} from '../../../base/json.ts';
import {readWhole, withRegularFile} from '../../../workspace/open-regular-file.ts';

export type Rewards =
  | {readonly kind: 'none'}
  | {readonly kind: 'rewards'; readonly rewards: Readonly<Record<string, number>>}
  /** The file is there and cannot be understood. */
  | {readonly kind: 'broken'; readonly problem: string};

/**
 * Reads the first of these files that is there (absolute, real paths): a number, or a JSON object of named numbers (Harbor: `reward.txt`,
 * `reward.json`). Whatever is not a small regular file counts as broken: links are not followed, a FIFO does not block.
 */
export async function readRewards(files: readonly string[]): Promise<Rewards> {
  for (const file of files) {
    const found = await textOf(file);
    if (found === undefined) continue;
    return typeof found === 'string' ? parseRewards(found) : found;
  }
  return {kind: 'none'};
}

/** Takes 0 to 1; what is outside counts as the nearer end. Numbers are read as Harbor's `float` does (`.5` of `bc`), true and false as 1 and 0. */
export function parseRewards(text: string): Rewards {
  const plain = text.trim();
  const value = DECIMAL.test(plain) ? Number(plain) : parseJson(plain);
  const entries = typeof value === 'number' ? [['reward', value] as const] : isJsonObject(value) ? Object.entries(value) : [];
  const numbers = entries
    .map(([name, reward]) => [name, typeof reward === 'boolean' ? Number(reward) : reward] as const)
    .filter((entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1]));
  if (numbers.length === 0 || numbers.length !== entries.length)
    return {kind: 'broken', problem: 'the rewards are neither a number nor an object of numbers'};
  return {kind: 'rewards', rewards: Object.fromEntries(numbers.map(([name, reward]) => [name, Math.min(1, Math.max(0, reward))]))};
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

const MAX_BYTES = 64 * 1024;

async function textOf(file: string): Promise<string | Rewards | undefined> {
  try {
    return await withRegularFile(file, async (fd, stats) =>
      stats.size > MAX_BYTES
        ? {kind: 'broken' as const, problem: 'the file of rewards is too large'}
        : (await readWhole(fd, stats)).toString('utf8'),
    );
  } catch (error) {
    if (isFettleError(error) && error.code === 'NOT_FOUND') return undefined;
    return {kind: 'broken', problem: `the file of rewards cannot be read: ${error instanceof Error ? error.message : String(error)}`};
  }
}
