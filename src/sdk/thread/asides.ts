import type {PromptJudge} from '../../agent/prompt-judge.ts';

/** Notes on actions of a person outside the conversation: the model gets them before their next message. */
export interface Asides {
  add(text: string): void;
  /** Brings what waits with the next prompt that nobody refuses. */
  readonly judgePrompt: PromptJudge;
}

/** @param more What else there is to tell when a prompt comes. */
export function createAsides(more: () => readonly string[] = () => []): Asides {
  const waiting: string[] = [];
  return {
    add: (text) => void waiting.push(text),
    judgePrompt: async () => ({context: [...waiting.splice(0), ...more()]}),
  };
}
