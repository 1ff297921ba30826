import {plainText} from '../cells/line.ts';
import type {Action, StateChange} from '../model/action.ts';
import type {Entry} from '../model/entry.ts';
import type {KeyInput} from '../keys/key.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {update} from '../model/update.ts';
import {bottomLines} from '../views/bottom-lines.ts';
import {entryLines} from '../views/entry-lines.ts';
import {coverOf} from './cover-of.ts';
import {pageKey} from './page.ts';

/** Does what {@link update} does, and what needs to know how many rows something takes: the pager. Pure. @param now Milliseconds. */
export function updateScreen(before: ScreenState, action: Action, now: number): StateChange<ScreenState> {
  const {state: updated, effects} = update(before, action, now);
  let state = action.type === 'entry' ? opened(updated, action.entry) : withinRows(before, updated);
  for (const effect of effects) if (effect.type === 'pagerKey') state = keyed(state, effect.key);
  return {state, effects: effects.filter(({type}) => type !== 'pagerKey')};
}

function keyed(state: ScreenState, key: KeyInput): ScreenState {
  const {overlay, ...rest} = state;
  if (overlay?.type !== 'pager' && overlay?.type !== 'diff' && overlay?.type !== 'help') return state;
  const next = pageKey(state, overlay, key);
  return next === undefined ? rest : {...state, overlay: next};
}

/** The rows of an approval scroll no further than there is something new to see, or the way back would begin with keys that show nothing. */
function withinRows({dialogs: [was]}: ScreenState, state: ScreenState): ScreenState {
  const [dialog, ...rest] = state.dialogs;
  if (dialog?.type !== 'approval' || was?.type !== 'approval' || was.id !== dialog.id || dialog.scroll <= was.scroll) return state;
  const kept = {...state, dialogs: [{...dialog, scroll: was.scroll}, ...rest]};
  return shownText(kept) === shownText(state) ? kept : state;
}

function shownText(state: ScreenState): string {
  return (coverOf(state)?.live ?? bottomLines(state).lines).map(plainText).join('\n');
}

/** An answer that is longer than the screen is opened in the pager, unless the person is typing. */
function opened(state: ScreenState, entry: Entry): ScreenState {
  const {size, now, overlay, editor, dialogs} = state;
  if (entry.kind !== 'plain' || entry.keeps !== 'start' || overlay !== undefined || editor.text !== '' || dialogs.length > 0) return state;
  if (entryLines(entry, {width: size.columns, now, isWhole: true}).length <= size.rows - 4) return state;
  return {...state, overlay: {type: 'pager', entry: state.entries.length - 1, skip: 0}};
}
