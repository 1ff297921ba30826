import {instructionText, type Instruction} from './instruction.ts';
import type {LoadedInstructions} from './load-instructions.ts';

/**
 * Returns the instructions of every request, part by part: each text, omissions, and which of them takes precedence. Empty if there are none.
 */
export function instructionParts({always, cuts}: Pick<LoadedInstructions, 'always' | 'cuts'>): readonly {path?: string; text: string}[] {
  return [
    ...always.map((one: Instruction) => ({path: one.path, text: instructionText(one)})),
    ...(cuts.length === 0 ? [] : [{text: `Missing here for its size: ${cuts.join('; ')}.`}]),
    ...(always.length < 2 ? [] : [{text: PRECEDENCE}]),
  ];
}

/** The same in one piece. */
export function instructionsText(instructions: Pick<LoadedInstructions, 'always' | 'cuts'>): string {
  return instructionParts(instructions)
    .map(({text}) => text)
    .join('\n\n');
}

const PRECEDENCE = 'Where instructions disagree, later ones win; what the user says in the conversation wins over all of them.';
