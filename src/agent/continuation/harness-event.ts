import {newId} from '../../base/ids.ts';
import type {ThreadEvent} from '../../protocol/events.ts';
import type {HarnessItem} from '../../protocol/items.ts';

type Fields = Pick<HarnessItem, 'event' | 'message' | 'command' | 'path' | 'exit_code'>;

/** What the harness did in a turn. */
export function harnessEvent(turnId: string, fields: Fields): ThreadEvent {
  return {type: 'item.completed', turn_id: turnId, item: {id: newId('itm'), type: 'harness', ...fields}};
}
