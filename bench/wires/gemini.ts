import {events, type Wire} from './wire.ts';

/** The streams of the Gemini API. */
export const gemini: Wire = {
  path: /:streamGenerateContent\?alt=sse$/,
  answer(call) {
    const part = call === undefined ? {text: 'Done.'} : {functionCall: {name: call.name, args: call.arguments}};
    return events([
      {
        candidates: [{index: 0, content: {role: 'model', parts: [part]}, finishReason: 'STOP'}],
        usageMetadata: {promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110},
        modelVersion: 'instant',
      },
    ]);
  },
};
