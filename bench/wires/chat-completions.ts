import {events, type PlannedCall, type Wire} from './wire.ts';

/** OpenAI Chat Completions. */
export const chatCompletions: Wire = {
  path: /\/chat\/completions$/,
  answer: (call, index) => stream(call === undefined ? textChoices() : callChoices(call, index)),
};

function textChoices(): object[] {
  return [{delta: {role: 'assistant', content: 'Done.'}}, {delta: {}, finish_reason: 'stop'}];
}

function callChoices(call: PlannedCall, index: number): object[] {
  const invocation = {index: 0, id: `call_${index}`, type: 'function', function: {name: call.name, arguments: ''}};
  const argumentsPart = {index: 0, function: {arguments: JSON.stringify(call.arguments)}};
  return [
    {delta: {role: 'assistant', content: null, tool_calls: [invocation]}},
    {delta: {tool_calls: [argumentsPart]}},
    {delta: {}, finish_reason: 'tool_calls'},
  ];
}

function stream(choices: readonly object[]): string {
  const usage = {prompt_tokens: 100, completion_tokens: 10, total_tokens: 110};
  const bodies = [...choices.map((choice) => ({choices: [{index: 0, ...choice}]})), {choices: [], usage}];
  return `${events(bodies.map((body) => ({id: 'c', object: 'chat.completion.chunk', model: 'instant', ...body})))}data: [DONE]\n\n`;
}
