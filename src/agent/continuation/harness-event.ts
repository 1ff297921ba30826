import {newId} from '../../base/ids.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {HarnessItem} from '../../protocol/items.ts';

type Fields = Pick<HarnessItem, 'event' | 'message' | 'command' | 'path' | 'exit_code'>;

/** Creates an event for an action of the harness; after the end of a turn, the event belongs to no turn. */
export function harnessEvent(turnId: string | undefined, fields: Fields): ThreadEvent {
  const item = {id: newId('itm'), type: 'harness', ...fields} as const;
  return turnId === undefined ? {type: 'item.completed', item} : {type: 'item.completed', turn_id: turnId, item};
}
