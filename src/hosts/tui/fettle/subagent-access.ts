import {isFettleError} from '../../../base/errors.ts';
import type {SubagentAccess} from '../host-adapter.ts';
import type {Conversation} from './conversation.ts';

/** Events of a subagent that are read at once; more than a person scrolls through. */
const MOST_EVENTS = 1500;

/** The subagents of the thread, with their logs. */
export function subagentAccess(conversation: Pick<Conversation, 'thread'>): SubagentAccess {
  return {
    list: () => conversation.thread.agents(),
    log(id) {
      try {
        return conversation.thread.agentEvents(id, MOST_EVENTS);
      } catch (error) {
        // The session was deleted, or has never begun.
        if (isFettleError(error) && error.code === 'NOT_FOUND') return undefined;
        throw error;
      }
    },
    async cancel(id) {
      await conversation.thread.cancelAgent(id);
    },
  };
}
