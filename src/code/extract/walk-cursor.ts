import type {Tree} from 'web-tree-sitter';
import {larger, roomFor, rowsOf, type Columns} from './columns.ts';
import {ERROR_TYPE} from './syntax.ts';

/**
 * What the engine's own cursor calls. Called directly, they leave the cursor where it lies in the engine's memory; the cursor class copies it
 * out and in at every step, which costs more than the steps themselves.
 */
export interface CursorCalls {
  _ts_tree_cursor_goto_first_child_wasm(tree: number): number;
  _ts_tree_cursor_goto_next_sibling_wasm(tree: number): number;
  _ts_tree_cursor_goto_parent_wasm(tree: number): number;
  _ts_tree_cursor_current_node_type_id_wasm(tree: number): number;
  _ts_tree_cursor_current_field_id_wasm(tree: number): number;
  _ts_tree_cursor_start_index_wasm(tree: number): number;
  _ts_tree_cursor_end_index_wasm(tree: number): number;
}

/** A tree in the engine, and which of its nodes are wanted. */
export interface Walk<Calls> {
  readonly tree: Tree;
  readonly calls: Calls;
  /** By type: 1 for those with a name, which alone are kept. */
  readonly named: Uint8Array;
}

/** The nodes of a tree, asked for one by one: always right, and three times as slow as reading the memory of the engine. */
export function walkCursor({tree, calls, named}: Walk<CursorCalls>): Columns {
  const cursor = tree.walk();
  // Asking anything puts the new cursor into the engine's memory, where the calls below move it.
  const at = placedAt(tree, cursor.nodeTypeId);
  let store = roomFor(1 << 12);
  let count = 0;
  let parent = -1;
  const parents: number[] = [];
  for (;;) {
    const type = calls._ts_tree_cursor_current_node_type_id_wasm(at);
    let descended = false;
    if (type === ERROR_TYPE || named[type] === 1) {
      if (count === store.type.length) store = larger(store);
      const node = count++;
      store.type[node] = type;
      store.field[node] = calls._ts_tree_cursor_current_field_id_wasm(at);
      store.start[node] = calls._ts_tree_cursor_start_index_wasm(at);
      store.end[node] = calls._ts_tree_cursor_end_index_wasm(at);
      store.parent[node] = parent;
      if (calls._ts_tree_cursor_goto_first_child_wasm(at) === 1) {
        parents.push(parent);
        parent = node;
        descended = true;
      } else store.after[node] = count;
    }
    if (descended) continue;
    while (calls._ts_tree_cursor_goto_next_sibling_wasm(at) !== 1) {
      if (calls._ts_tree_cursor_goto_parent_wasm(at) !== 1) {
        cursor.delete();
        return rowsOf(store, count);
      }
      store.after[parent] = count;
      parent = parents.pop() ?? -1;
    }
  }
}

function placedAt(tree: Tree, _placed: number): number {
  return addressOf(tree);
}

/** The address of the tree in the engine's memory: what every call needs, and what the declarations do not show. */
export function addressOf(tree: Tree): number {
  return (tree as unknown as Readonly<Record<number, number>>)[0] ?? 0;
}
