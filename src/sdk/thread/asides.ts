import type {PromptJudge} from '../../agent/prompt-judge.ts';

/** Notes on actions of a person outside the conversation: the model gets them before their next message. */
export interface Asides {
  add(text: string): void;
  /** Adds the pending texts to the next prompt that is not refused. */
  readonly judgePrompt: PromptJudge;
}

/** @param more further texts for the next prompt. */
export function createAsides(more: () => readonly string[] = () => []): Asides {
  const waiting: string[] = [];
  return {
    add: (text) => void waiting.push(text),
    judgePrompt: async () => ({context: [...waiting.splice(0), ...more()]}),
  };
}
