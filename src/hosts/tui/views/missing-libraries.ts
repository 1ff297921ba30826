import {callChanges} from '../calls/call-changes.ts';
import type {Entry} from '../model/entry.ts';
import type {Dialog, ScreenState} from '../model/screen-state.ts';
import {codeLanguage, languageOfFile} from './code/code-languages.ts';
import {missingLanguages, unreadLanguages} from './code/highlight-code.ts';
import {loadedDiff} from './diff/load-diff.ts';

/** A library that a picture would be better with: the one for diffs, or a language of code by its name. */
export type Library = 'diff' | `language:${string}`;

/** The parts of the state that the libraries depend on. */
export type Seen = Pick<ScreenState, 'entries' | 'printed' | 'dialogs' | 'overlay'>;

/** Returns the libraries that are not loaded, and with which the rows not printed yet, the question or the changed file on the screen look better. */
export function missingLibraries({entries, printed, dialogs, overlay}: Seen): readonly Library[] {
  const open = printed.markdown.fence?.language;
  const missing = open === undefined ? [] : unreadLanguages([codeLanguage(open)]).map(named);
  for (let at = printed.entries; at < entries.length; at++) {
    const entry = entries[at];
    if (entry !== undefined) missing.push(...missingFor(entry, at === printed.entries ? printed.offset : 0));
  }
  missing.push(...missingForDialog(dialogs[0]));
  if (overlay?.type === 'diff') missing.push(...missingForFiles(overlay.files.slice(overlay.file, overlay.file + 1)));
  return [...new Set(missing)];
}

function missingForDialog(dialog: Dialog | undefined): readonly Library[] {
  if (dialog?.type === 'approval') return missingForFiles(dialog.question.diffs);
  if (dialog?.type === 'trust') return missingForFiles(dialog.question.entries.filter(({change}) => change === 'changed'));
  return dialog?.type === 'plan' ? missingLanguages(dialog.question.plan).map(named) : [];
}

function missingFor(entry: Entry, offset: number): readonly Library[] {
  if (entry.kind === 'answer') return missingLanguages(entry.text.slice(offset)).map(named);
  return entry.kind === 'tool' ? missingForFiles(callChanges(entry).pieces) : [];
}

function missingForFiles(files: readonly {readonly path: string}[]): readonly Library[] {
  if (files.length === 0) return [];
  const languages = unreadLanguages(files.map(({path}) => languageOfFile(path))).map(named);
  return loadedDiff() === undefined ? ['diff', ...languages] : languages;
}

function named(language: string): Library {
  return `language:${language}`;
}
