import {describe, expect, it} from 'vitest';
import type {Entry} from '../../../../src/hosts/tui/model/entry.ts';
import {createKeymap} from '../../../../src/hosts/tui/keys/keymap.ts';
import {initialState, type ScreenState} from '../../../../src/hosts/tui/model/screen-state.ts';
import {loadLanguage} from '../../../../src/hosts/tui/views/code/highlight-code.ts';
import {loadDiff} from '../../../../src/hosts/tui/views/diff/load-diff.ts';
import {missingLibraries} from '../../../../src/hosts/tui/views/missing-libraries.ts';

// Modules are shared with other tests: none of those loads these languages.
const FENCED: Entry = {kind: 'answer', id: 'a', text: 'So:\n```elixir\nx = 1\n```\n~~~ nonsense\n', isFinal: false};
const EDIT: Entry = {
  kind: 'tool',
  id: 'i',
  callId: 'c',
  tool: 'edit',
  arguments: '{"path": "a.sql", "old_string": "a", "new_string": "b"}',
  state: 'running',
  startedAt: 0,
  output: '',
};

function state(entries: readonly Entry[], more: Partial<ScreenState> = {}): ScreenState {
  const keymap = createKeymap().keymap;
  return {...initialState({size: {columns: 80, rows: 24}, now: 0, appName: 'Fettle', folder: 'app', keymap}), entries, ...more};
}

describe('missingLibraries', () => {
  it('names the languages of fences and of files that change, once, and nothing that is loaded', async () => {
    const shown = state([FENCED, FENCED, EDIT, {...EDIT, tool: 'read'}]);
    await loadDiff();
    const before = missingLibraries(shown);
    await loadLanguage('elixir');
    expect([before, missingLibraries(shown)]).toEqual([['language:elixir', 'language:sql'], ['language:sql']]);
  });

  it('looks at what is not printed yet, and at the fence that is open there', () => {
    const {printed} = state([]);
    const fence = {marker: '```', indent: 0, language: 'go'};
    expect([
      missingLibraries(state([EDIT], {printed: {...printed, entries: 1}})),
      missingLibraries(state([{...FENCED, text: 'x\n'}], {printed: {...printed, markdown: {...printed.markdown, fence}}})),
    ]).toEqual([[], ['language:go']]);
  });
});
