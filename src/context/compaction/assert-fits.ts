import {FettleError} from '../../base/errors.ts';
import type {ModelRequest} from '../../models/provider.ts';
import type {Message} from '../../protocol/messages.ts';
import {estimateTokens, totalTokens} from './estimate-tokens.ts';

interface Sized {
  /** Tokens that the model takes, input and output together. */
  readonly window: number;
  readonly frame: Pick<ModelRequest, 'system' | 'tools'>;
  readonly messages: readonly Message[];
}

/** Throws TOO_LARGE if a request cannot fit into a window that is known: with the share of each part, and ways to make them smaller. */
export function assertFits({window, frame, messages}: Sized): void {
  const prompt = estimateTokens(frame.system);
  const tools = estimateTokens(JSON.stringify(frame.tools));
  const conversation = totalTokens(messages);
  const needed = prompt + tools + conversation + SHORTEST_REPLY;
  if (needed <= window) return;
  const parts = `${count(prompt)} prompt and instructions, ${count(tools)} tools, ${count(conversation)} conversation, ${SHORTEST_REPLY} reply`;
  throw new FettleError({
    code: 'TOO_LARGE',
    message: `The window of the model is ${count(window)} tokens, and this request needs about ${count(needed)}: ${parts}. It was not sent.`,
    hint: hintFor({prompt, tools, window}),
  });
}

/** With less room than this no call of a tool is written. Tokens. */
const SHORTEST_REPLY = 128;

function hintFor({prompt, tools, window}: {prompt: number; tools: number; window: number}): string {
  const larger = 'start the server with a larger context (and change context.window_tokens where you have set it)';
  const isOwn = prompt + tools + SHORTEST_REPLY > window / 2;
  if (!isOwn) return `Send less text at once (name files instead of pasting them), or ${larger}.`;
  const less = tools > SMALL_TOOLSET ? '--toolset small and shorter instruction files' : 'shorter instruction files';
  return `Use ${less} (\`fettle context show\` lists the parts), or ${larger}.`;
}

/** The tools of the toolset `small` take less. Tokens. */
const SMALL_TOOLSET = 450;

function count(tokens: number): string {
  return tokens.toLocaleString('en');
}
