import {nearestWord} from '../../../base/nearest-word.ts';
import {KEY_ACTIONS, type KeyAction} from './key-actions.ts';
import {keyNameOf} from './key-name.ts';
import type {KeyInput} from './key.ts';

/** Actions of keys, by their names. */
export type Keymap = ReadonlyMap<string, KeyAction>;

/** A problem of a person's key bindings; the others remain valid. */
export type KeymapProblem =
  | {readonly type: 'unknown_action'; readonly action: string; readonly nearest: string | undefined}
  | {readonly type: 'unknown_key'; readonly action: KeyAction; readonly key: string}
  /** Bound twice by the person: the first counts. */
  | {readonly type: 'conflict'; readonly key: string; readonly actions: readonly [KeyAction, KeyAction]}
  /** All keys of an action were assigned to others, without a replacement. */
  | {readonly type: 'unreachable'; readonly action: KeyAction};

/**
 * The keys with the bindings of a person (`{submit: ['ctrl+enter'], help: []}`): those of an action take the place of its default keys, and a
 * key that they name is taken from the action that has it by default.
 */
export function createKeymap(bindings: Readonly<Record<string, readonly string[]>> = {}): {
  readonly keymap: Keymap;
  readonly problems: readonly KeymapProblem[];
} {
  const keymap = new Map<string, KeyAction>();
  const problems: KeymapProblem[] = [];
  const own = Object.entries(bindings);
  for (const [action, keys] of own) {
    if (isAction(action)) problems.push(...bind(keymap, action, keys));
    else problems.push({type: 'unknown_action', action, nearest: nearestWord(action, ACTIONS)});
  }
  for (const action of ACTIONS) {
    if (Object.hasOwn(bindings, action)) continue;
    const free = KEY_ACTIONS[action].keys.filter((key) => !keymap.has(key));
    for (const key of free) keymap.set(key, action);
    if (free.length === 0) problems.push({type: 'unreachable', action});
  }
  return {keymap, problems};
}

/** The action of a key; undefined if it types text, or does nothing. A printable character is an action only if the editor is empty. */
export function actionOf(keymap: Keymap, input: KeyInput, {isEmpty}: {readonly isEmpty: boolean}): KeyAction | undefined {
  if (input.type === 'paste') return undefined;
  const name = keyNameOf(input.name);
  const types = input.text !== undefined && !/^(?:ctrl|alt)\+/.test(input.name);
  return name === undefined || (types && !isEmpty) ? undefined : keymap.get(name);
}

const ACTIONS = Object.keys(KEY_ACTIONS) as readonly KeyAction[];

function isAction(name: string): name is KeyAction {
  return Object.hasOwn(KEY_ACTIONS, name);
}

function bind(keymap: Map<string, KeyAction>, action: KeyAction, keys: readonly string[]): readonly KeymapProblem[] {
  return keys.flatMap((combination): readonly KeymapProblem[] => {
    const key = keyNameOf(combination);
    if (key === undefined) return [{type: 'unknown_key', action, key: combination}];
    const taken = keymap.get(key) ?? action;
    if (taken !== action) return [{type: 'conflict', key, actions: [taken, action]}];
    keymap.set(key, action);
    return [];
  });
}
