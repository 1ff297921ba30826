import type {EditorActionItem, TodoListItem} from '../protocol/items.ts';

/** A piece of output of a running tool. */
export interface ToolOutput {
  readonly type: 'output';
  readonly stream: 'stdout' | 'stderr' | 'progress';
  readonly text: string;
}

/** Progress of a running tool, for hosts; the model never sees it. */
export type ToolStreamEvent = ToolOutput | ToolItem;

/** An item for the events of the thread, besides the call itself. */
export interface ToolItem {
  readonly type: 'item';
  readonly item: Omit<TodoListItem, 'id' | 'request_id'> | Omit<EditorActionItem, 'id' | 'request_id'>;
}
