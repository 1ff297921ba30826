import type {JsonObject} from '../../../base/json.ts';

/** Sink of streaming events; each gets the next number. */
export interface ResponseStream {
  send(type: string, fields: JsonObject): void;
}

export function createResponseStream(emit: (event: JsonObject) => void): ResponseStream {
  let next = 0;
  return {
    send(type, fields) {
      emit({type, sequence_number: next, ...fields});
      next += 1;
    },
  };
}
