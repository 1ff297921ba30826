import type {Instruction} from './instruction.ts';

/** The bound that other agents use for these texts together, in bytes (AGENTS.md convention). */
export const MOST_BYTES = 32 * 1024;

export interface FittedInstructions {
  readonly kept: readonly Instruction[];
  /** Texts that were left out, one line each. */
  readonly cuts: readonly string[];
}

/**
 * Instructions, weak to strong, within a bound: the strongest keep their text, the weakest lose it first (VT Code cut the most specific ones,
 * its known fault). Of the one on the border the beginning stays, to the end of a line.
 */
export function fitInstructions(instructions: readonly Instruction[], most = MOST_BYTES): FittedInstructions {
  let left = most;
  const kept: Instruction[] = [];
  const cuts: string[] = [];
  for (const instruction of instructions.toReversed()) {
    const bytes = Buffer.byteLength(instruction.text);
    if (bytes <= left) kept.push(instruction);
    else {
      const text = firstBytes(instruction.text, left);
      if (text !== '') kept.push({...instruction, text});
      cuts.push(
        text === '' ? `${instruction.path}: left out` : `${instruction.path}: only the first ${Buffer.byteLength(text)} of ${bytes} bytes`,
      );
    }
    left = Math.max(0, left - bytes);
  }
  return {kept: kept.reverse(), cuts: cuts.reverse()};
}

/** Whole lines of it, up to a size in bytes. */
export function firstBytes(text: string, most: number): string {
  let bytes = 0;
  let end = 0;
  for (const line of text.split('\n')) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > most) break;
    end += line.length + 1;
  }
  return text.slice(0, end).trimEnd();
}
