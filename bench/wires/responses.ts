import {events, type PlannedCall, type Wire} from './wire.ts';

/** OpenAI Responses. */
export const responses: Wire = {
  path: /\/responses$/,
  answer(call, index) {
    const item = {id: `item_${index}`, status: 'completed', ...(call === undefined ? message() : callItem(call, index))};
    const response = {id: `resp_${index}`, object: 'response', model: 'instant'};
    const usage = {
      input_tokens: 100,
      input_tokens_details: {cached_tokens: 0},
      output_tokens: 10,
      output_tokens_details: {reasoning_tokens: 0},
      total_tokens: 110,
    };
    return events([
      {type: 'response.created', response: {...response, status: 'in_progress', output: []}},
      {type: 'response.output_item.added', output_index: 0, item},
      {type: 'response.output_item.done', output_index: 0, item},
      {type: 'response.completed', response: {...response, status: 'completed', output: [item], usage}},
    ]);
  },
};

function message(): object {
  return {type: 'message', role: 'assistant', content: [{type: 'output_text', text: 'Done.', annotations: []}]};
}

function callItem({name, arguments: given}: PlannedCall, index: number): object {
  const call = {call_id: `call_${index}`, name};
  return typeof given === 'string'
    ? {type: 'custom_tool_call', ...call, input: given}
    : {type: 'function_call', ...call, arguments: JSON.stringify(given)};
}
