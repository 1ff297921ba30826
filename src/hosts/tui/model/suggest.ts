import {edit} from '../editor/edit.ts';
import type {PickerItem, SessionCommand} from '../host-adapter.ts';
import type {Action, StateChange} from './action.ts';
import type {KeyInput} from '../keys/key.ts';
import type {ScreenState, Suggestions} from './screen-state.ts';
import {submit} from './submit.ts';

/** Updates the suggestions after a change of the text: it is a command, a mention, or neither. Items to mention arrive later, through `suggested`. */
export function suggest(state: ScreenState): StateChange<ScreenState> {
  const {text, cursor} = state.editor;
  const before = text.slice(0, cursor);
  const command = /^\/([\w:.-]*)$/.exec(before);
  if (command !== null && cursor === text.length) return offerCommands(state, command[1] ?? '');
  const query = mentionIn(before);
  if (query === undefined) return {state: without(state), effects: []};
  const shown = state.suggestions;
  // Results stay until new ones arrive, but a line of a file does not match the name of one.
  const items = shown?.kind === 'file' && shown.query.startsWith('/') === query.startsWith('/') ? shown.items : [];
  const suggestions: Suggestions = {kind: 'file', from: cursor - query.length - 1, to: cursor, query, items, at: 0};
  return {state: {...state, suggestions}, effects: [{type: 'files', query}]};
}

/** Returns the text after the last `@`: a name without blanks, or after `@/` a text that may contain them. */
function mentionIn(before: string): string | undefined {
  return (/(?:^|[\s(])@(\S*)$/.exec(before) ?? /(?:^|[\s(])@(\/[^\n@]+)$/.exec(before))?.[1];
}

function offerCommands(state: ScreenState, query: string): StateChange<ScreenState> {
  const items = state.commands
    .filter(({name}) => name.includes(query))
    .toSorted((a, b) => fitOf(a.name, query) - fitOf(b.name, query))
    .map(({name, hint, description}) => ({
      value: `/${name}`,
      label: hint === undefined ? `/${name}` : `/${name} ${hint}`,
      detail: description,
    }));
  if (items.length === 0) return {state: without(state), effects: []};
  const suggestions: Suggestions = {kind: 'command', from: 0, to: state.editor.cursor, query, items, at: 0};
  return {state: {...state, suggestions}, effects: []};
}

/** The command of this name, those that begin so, then all others. */
function fitOf(name: string, query: string): number {
  return name === query ? 0 : name.startsWith(query) ? 1 : 2;
}

/** Adds the suggestions found for a query; nothing changes if another one was typed since. */
export function withSuggested(state: ScreenState, {query, items}: Extract<Action, {type: 'suggested'}>): ScreenState {
  const {suggestions} = state;
  if (suggestions?.kind !== 'file' || suggestions.query !== query) return state;
  return {...state, suggestions: {...suggestions, items, at: 0}};
}

/** Keys that the list takes; undefined: the key is for the line. */
export function suggestionKey(state: ScreenState, key: KeyInput): StateChange<ScreenState> | undefined {
  const {suggestions} = state;
  if (suggestions === undefined || key.type === 'paste') return undefined;
  const {items, at} = suggestions;
  if (key.name === 'escape') return {state: without(state), effects: []};
  if (items.length === 0) return undefined;
  if (key.name === 'up') return {state: {...state, suggestions: {...suggestions, at: (at - 1 + items.length) % items.length}}, effects: []};
  if (key.name === 'down') return {state: {...state, suggestions: {...suggestions, at: (at + 1) % items.length}}, effects: []};
  const item = items[at];
  if (item === undefined) return undefined;
  if (key.name === 'enter' && suggestions.kind === 'command') return entered(state, suggestions, item);
  return key.name === 'tab' || key.name === 'enter' ? {state: taken(state, suggestions, item), effects: []} : undefined;
}

/** Enter sends a command that is complete, and the selected one if it needs no arguments. */
function entered(state: ScreenState, suggestions: Suggestions, item: PickerItem): StateChange<ScreenState> {
  const named = (value: string): SessionCommand | undefined => state.commands.find(({name}) => `/${name}` === value);
  if (named(state.editor.text) !== undefined) return submit(without(state));
  const needsMore = !(named(item.value)?.hint ?? '[').startsWith('[');
  const next = taken(state, suggestions, item);
  return needsMore ? {state: next, effects: []} : submit(next);
}

function taken(state: ScreenState, {from, to, kind}: Suggestions, {value}: PickerItem): ScreenState {
  const {text} = state.editor;
  const isFolder = kind === 'file' && value.endsWith('/');
  const put = `${kind === 'file' ? `@${value}` : value}${isFolder ? '' : ' '}`;
  const next = text.slice(0, from) + put + text.slice(to);
  return {...without(state), editor: edit(state.editor, {type: 'set', text: next, cursor: from + put.length})};
}

function without(state: ScreenState): ScreenState {
  const {suggestions: _suggestions, ...rest} = state;
  return rest;
}
