import {isJsonObject} from '../../base/json.ts';

/** Messages that a server may send between two answers: progress, logs, questions, unsolicited answers. */
export const MAX_WITHOUT_ANSWER = 50_000;

/** The reason for disconnecting a server that sends more. */
export const FLOODED = `it sent more than ${MAX_WITHOUT_ANSWER} messages without an answer`;

/** Counts the messages of a server, over any transport. */
export interface MessageCount {
  /** Counts a message to the server: only requests can be answered. */
  sent(message: unknown): void;
  /** False if it is one too many. */
  received(message: unknown): boolean;
}

export function createMessageCount(): MessageCount {
  const open = new Set<unknown>();
  let withoutAnswer = 0;
  return {
    sent(message) {
      for (const one of Array.isArray(message) ? message : [message]) {
        if (isJsonObject(one) && 'method' in one && one['id'] !== undefined) open.add(one['id']);
      }
    },
    received(message) {
      const isAnswer = isJsonObject(message) && ('result' in message || 'error' in message) && open.delete(message['id']);
      withoutAnswer = isAnswer ? 0 : withoutAnswer + 1;
      return withoutAnswer <= MAX_WITHOUT_ANSWER;
    },
  };
}
