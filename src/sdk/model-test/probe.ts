import {FettleError} from '../../base/errors.ts';
import type {ToolCallPart, ToolMessage, ToolSchema} from '../../protocol/messages.ts';
import {ownTool} from '../../tools/dispatch/resolve-tool.ts';
import type {Toolset} from '../../tools/toolset.ts';

/** A small task that needs one call of a tool and its result. Nothing is run: the results are made up. */
export interface Probe {
  /** For the model. */
  readonly task: string;
  /** The expected call, in words: `read with fettle-test.txt`. */
  readonly asked: string;
  isAskedFor(call: ToolCallPart): boolean;
  resultsOf(calls: readonly ToolCallPart[]): ToolMessage;
  /** True if the answer contains something that only the result of the call says. */
  isAnswer(text: string): boolean;
}

/** Creates a task for the advertised tools. Throws CONFIG if there are none. */
export function createProbe(shown: readonly ToolSchema[], toolset: Toolset): Probe {
  const familyOf = (name: string): string | undefined => ownTool(toolset, name)?.permission;
  const tool = shown.find(({name}) => familyOf(name) === 'read') ?? shown[0];
  if (tool === undefined) {
    const hint = 'A run in this configuration has none either: look at the tools of the toolset with `fettle tools list`.';
    throw new FettleError({code: 'CONFIG', message: 'The model has no tool to call.', hint});
  }
  const family = familyOf(tool.name);
  const isAskedFor = ({name, arguments: args}: ToolCallPart): boolean =>
    (name === tool.name || (family !== undefined && familyOf(name) === family)) && args.includes(FILE);
  return {
    task: `Use the tool ${tool.name} to look at the file ${FILE}. Then reply with the one word in it.`,
    asked: `${tool.name} with ${FILE}`,
    isAskedFor,
    resultsOf: (calls) => ({
      role: 'tool',
      results: calls.map((call) => {
        const isError = !isAskedFor(call);
        return {callId: call.id, name: call.name, text: isError ? `Not run. Call ${tool.name} with ${FILE}.` : WORD, isError};
      }),
    }),
    isAnswer: (text) => text.toLowerCase().includes(WORD),
  };
}

const FILE = 'fettle-test.txt';
/** No model would say this word by chance. */
const WORD = 'persimmon';
