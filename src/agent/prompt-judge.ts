/** A prompt of a person, before it goes into the conversation. */
export interface Prompt {
  readonly text: string;
  readonly turnId: string;
}

/** refused: it does not reach the model · context: text to put in front of it. */
export type PromptVerdict = {readonly refused: string} | {readonly context: readonly string[]};

/** Decides whether a prompt may go into the conversation, and adds text to it. Must not throw. */
export type PromptJudge = (prompt: Prompt, signal: AbortSignal) => Promise<PromptVerdict>;
