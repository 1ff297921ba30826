import type {RecordedTurn} from '../../../sessions/replay/recorded-turns.ts';

interface ScriptedReplies {
  readonly replies: readonly {readonly text: string; readonly toolCalls?: readonly {readonly name: string; readonly arguments: string}[]}[];
}

/** The replies of a turn as a script, so that the task can be tried with what solved it. Paths of its folder become relative to it. */
export function recordedScript({steps}: RecordedTurn, folder: string): ScriptedReplies {
  return {
    replies: steps.map(({reply}) => {
      const text = reply.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
      const calls = reply.parts.flatMap((part) => (part.type === 'tool_call' ? [part] : []));
      const toolCalls = calls.map(({name, arguments: args}) => ({name, arguments: relativePaths(args, folder)}));
      return toolCalls.length === 0 ? {text} : {text, toolCalls};
    }),
  };
}

function relativePaths(args: string, folder: string): string {
  const written = JSON.stringify(folder).slice(1, -1);
  return args.replaceAll(`${written}/`, '').replaceAll(written, '.');
}
