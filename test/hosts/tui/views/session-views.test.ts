import {describe, expect, it} from 'vitest';
import {plainText} from '../../../../src/hosts/tui/cells/line.ts';
import type {SessionInfo} from '../../../../src/hosts/tui/host-adapter.ts';
import {createKeymap} from '../../../../src/hosts/tui/keys/keymap.ts';
import {initialState, type ScreenState} from '../../../../src/hosts/tui/model/screen-state.ts';
import {updateScreen} from '../../../../src/hosts/tui/pager/update-screen.ts';
import {entryLines} from '../../../../src/hosts/tui/views/entry-lines.ts';
import {agentLines, todoLines} from '../../../../src/hosts/tui/views/panels.ts';
import {statusLine} from '../../../../src/hosts/tui/views/status-line.ts';
import {notation} from './notation.ts';

const INFO: SessionInfo = {model: 'm1', mode: 'ask', sandbox: 'off', branch: 'main', contextWindow: 100_000, costUsd: 0};

function state(columns: number, info: SessionInfo = INFO): ScreenState {
  const keymap = createKeymap().keymap;
  return initialState({size: {columns, rows: 24}, now: 0, appName: 'Fettle 1.2.3', folder: 'app', info, keymap});
}

describe('the status line', () => {
  const cases: readonly (readonly [string, SessionInfo, string])[] = [
    [
      'no cost of nothing',
      {...INFO, contextTokens: 2000},
      '{accent:ask}{dim: · }{dim:m1}{dim: · }{dim:2% of 100k}{dim: · }{dim:app (main)}{dim: · }{dim:sandbox off}',
    ],
    [
      'a context that is nearly full',
      {...INFO, sandbox: undefined, contextTokens: 91_000, costUsd: 1.234},
      '{accent:ask}{dim: · }{dim:m1}{dim: · }{warning:context 91% of 100k, /compact shortens it}{dim: · }{dim:$1.23}{dim: · }{dim:app (main)}',
    ],
    [
      'why a model was chosen',
      {...INFO, modelReason: 'best so far: mean 0.93 of 5 outcomes', sandbox: undefined, contextTokens: 2000},
      '{accent:ask}{dim: · }{dim:m1}{dim: · }{dim:2% of 100k}{dim: · }{dim:best so far: mean 0.93 of 5 outcomes}{dim: · }{dim:app (main)}',
    ],
    [
      'why tools were chosen',
      {...INFO, toolReasons: ['toolset vtcode: tries it: no outcome yet'], sandbox: undefined, contextTokens: 2000},
      '{accent:ask}{dim: · }{dim:m1}{dim: · }{dim:2% of 100k}{dim: · }{dim:toolset vtcode: tries it: no outcome yet}{dim: · }{dim:app (main)}',
    ],
    [
      'that nothing holds commands which nobody is asked about',
      {model: 'm1', mode: 'full-auto', sandbox: 'off'},
      '{warning:full-auto}{dim: · }{dim:m1}{dim: · }{dim:app}{dim: · }{warning:sandbox off}',
    ],
  ];
  it.each(cases)('tells %s', (_, info, expected) => {
    const line = statusLine(state(100, info));
    expect(notation([line]).replace(/ +\{dim:\? help\}$/, '')).toBe(expected);
  });

  it('shows control characters of a branch, and leaves out what does not fit', () => {
    expect(plainText(statusLine(state(20, {...INFO, branch: 'x\u001b[2J'})))).toBe('ask · m1 · app (x)');
    expect(plainText(statusLine(state(12)))).toBe('ask · m1');
  });
});

describe('the first entry', () => {
  it('names the program and what it works with', () => {
    const next = updateScreen(state(80), {type: 'switched', folder: 'app', info: INFO}, 0).state;
    expect(notation(next.entries.flatMap((entry) => entryLines(entry, {width: 80, now: 0, isWhole: false})))).toMatchInlineSnapshot(`
      "{heading:Fettle 1.2.3}
      m1{dim: · }app (main){dim: · }{accent:ask}{dim: · }sandbox off
      {dim:? keys and commands · @ files · ! shell · Shift-Tab mode}"
    `);
  });

  it('is followed by the title of a conversation that goes on', () => {
    const next = updateScreen(state(80, {...INFO, title: 'Fix the date'}), {type: 'replay', events: []}, 0).state;
    expect(notation(next.entries.flatMap((entry) => entryLines(entry, {width: 80, now: 0, isWhole: false})))).toMatchInlineSnapshot(
      `"{dim:· }{dim:Resumed: Fix the date}"`,
    );
  });
});

describe('the panels', () => {
  it('show the open tasks and the subagents', () => {
    const todo: ScreenState['todo'] = [
      {text: 'Read', status: 'completed'},
      {text: 'Change', status: 'in_progress'},
      {text: 'Test', status: 'pending'},
      {text: 'Ship', status: 'blocked'},
    ];
    const agents: ScreenState['agents'] = [
      {id: 'explore-1', profile: 'explore', status: 'running', task: 'look around', doing: 'Read a.ts'},
      {id: 'explore-2', profile: 'explore', status: 'waiting', task: 'look elsewhere'},
    ];
    const shown = {...state(40), todo, agents};
    expect(notation([...agentLines(shown), ...todoLines(shown)])).toMatchInlineSnapshot(`
      "{accent:◌ }{bold:explore-1}{dim: running}{dim: · Read a.ts}
      {warning:◌ }{bold:explore-2}{dim: waiting}{dim: · look elsewhere}
      {heading:Tasks}{dim: 1/4}
      {accent:  ◐ }Change
      {dim:  ○ }{dim:Test}
      {warning:  ! }{dim:Ship}"
    `);
  });
});

describe('reasoning', () => {
  it('is one row, with its time where that says something', () => {
    const thought = {kind: 'reasoning', id: 'r', text: 'I think.\nMore.', startedAt: 0} as const;
    const shown = [
      {...thought, isFinal: false},
      {...thought, isFinal: true, durationMs: 200},
      {...thought, isFinal: true, durationMs: 65_000},
    ];
    expect(shown.map((entry) => notation(entryLines(entry, {width: 40, now: 3000, isWhole: false})))).toMatchInlineSnapshot(`
      [
        "{dim:∴ }{dim+italic:Thinking · 3 s}",
        "{dim:∴ }{dim+italic:Thought}",
        "{dim:∴ }{dim+italic:Thought for 1 min 5 s}",
      ]
    `);
  });
});
