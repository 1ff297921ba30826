import {edit} from '../editor/edit.ts';
import {EMPTY_EDITOR} from '../editor/editor-state.ts';
import {submittedText} from '../editor/paste-marker.ts';
import {editKey, type KeyContext} from '../keys/edit-key.ts';
import type {KeyInput} from '../keys/key.ts';
import {chosenLines, type PlanDialog} from './plan-dialog.ts';
import type {PlanComment, PlanRange} from './plan-question.ts';

/** Begins a comment on the selection, or continues the existing one. */
export function writeComment(dialog: PlanDialog): PlanDialog {
  const known = commentHere(dialog);
  return written(dialog, known?.lines ?? chosenLines(dialog), known);
}

/** The same for the whole plan. */
export function writeOnWhole(dialog: PlanDialog): PlanDialog {
  return written(
    dialog,
    undefined,
    dialog.comments.find(({lines}) => lines === undefined),
  );
}

/** Removes the comment on the selection. */
export function removeComment(dialog: PlanDialog): PlanDialog {
  const known = commentHere(dialog);
  return known === undefined ? dialog : {...dialog, comments: dialog.comments.filter((comment) => comment !== known)};
}

/** A key while a comment is written: Enter keeps it, an empty one takes it away, Esc leaves it as it was. */
export function commentKey(dialog: PlanDialog, key: KeyInput, context: KeyContext): PlanDialog {
  const {writing, anchor: _chosen, ...rest} = dialog;
  const name = key.type === 'key' ? key.name : '';
  if (writing === undefined || name === 'escape') return rest;
  if (name !== 'enter') return {...dialog, writing: {...writing, editor: editKey(writing.editor, key, context)}};
  const text = submittedText(writing.editor).trim();
  const others = dialog.comments.filter(({lines}) => !isSame(lines, writing.lines));
  const comments = text === '' ? others : [...others, {lines: writing.lines, text}];
  return {...rest, comments: comments.toSorted((a, b) => (a.lines?.first ?? 0) - (b.lines?.first ?? 0))};
}

function written(dialog: PlanDialog, lines: PlanRange | undefined, known: PlanComment | undefined): PlanDialog {
  const editor = edit(EMPTY_EDITOR, {type: 'set', text: known?.text ?? ''});
  return {...dialog, writing: {lines, editor}};
}

/** The comment on exactly the selection; for a single line also one that includes it. */
function commentHere(dialog: PlanDialog): PlanComment | undefined {
  const chosen = chosenLines(dialog);
  const same = dialog.comments.find(({lines}) => isSame(lines, chosen));
  if (same !== undefined || dialog.anchor !== undefined) return same;
  return dialog.comments.find(({lines}) => lines !== undefined && lines.first <= chosen.first && chosen.last <= lines.last);
}

function isSame(a: PlanRange | undefined, b: PlanRange | undefined): boolean {
  return a?.first === b?.first && a?.last === b?.last;
}
