import {beforeAll, describe, expect, it} from 'vitest';
import {createKeymap} from '../../../../src/hosts/tui/keys/keymap.ts';
import {initialState, type ScreenState} from '../../../../src/hosts/tui/model/screen-state.ts';
import {updateScreen} from '../../../../src/hosts/tui/pager/update-screen.ts';
import {createAlternateSurface} from '../../../../src/hosts/tui/surface/alternate-surface.ts';
import {createInlineSurface} from '../../../../src/hosts/tui/surface/inline-surface.ts';
import {terminalTheme} from '../../../../src/hosts/tui/themes/terminal-themes.ts';
import {frameOf} from '../../../../src/hosts/tui/views/frame.ts';
import {loadMarkdown} from '../../../../src/hosts/tui/views/markdown/load-markdown.ts';
import {emulator} from '../../../screen/emulator.ts';

const SIZE = {columns: 80, rows: 24};
const WORDS = 'the parser reads each line of a file and keeps what it knows'.split(' ');
const word = (n: number): string => `${WORDS[n % WORDS.length] ?? ''} `;

/** Deltas of one block that is not complete until its end, much higher than the screen. */
const STREAMS: Readonly<Record<string, (n: number) => string>> = {
  'a paragraph': word,
  'a list': (n) => (n % 12 === 0 ? '\n- ' : word(n)),
  'a table': (n) =>
    n === 0 ? '| a | b |\n|---|---|\n' : n % 6 === 1 ? '| x' : n % 6 === 0 ? '|\n' : ` ${word(n)}${n % 6 === 4 ? '|' : ''}`,
  'a quotation': (n) => (n % 12 === 0 ? '\n> ' : word(n)),
  code: (n) => (n === 0 ? '```ts\n' : n % 5 === 0 ? '\n' : `const a${n} = "x"; `),
  paragraphs: (n) => (n % 40 === 0 ? '\n\n' : word(n)),
  'wide text': (n) => (n % 90 === 0 ? '\n\n' : '解析器读取'),
};
const TOKENS = 2000;
/** 500 tokens a second, and a frame for 33 ms of them. */
const TOKENS_A_FRAME = 16;

beforeAll(async () => await loadMarkdown());

describe('bytes that a streamed answer takes', () => {
  for (const [kind, delta] of Object.entries(STREAMS)) {
    for (const [name, create] of [
      ['inline', createInlineSurface],
      ['alternate', createAlternateSurface],
    ] as const) {
      it(`at most 6 times the text: ${kind}, ${name}`, () => {
        const terminal = emulator(SIZE);
        const traits = {synchronized: true, looks: terminalTheme('dark', '256')};
        const surface = create(terminal, traits);
        let state = started();
        let text = '';
        surface.draw(frameOf(state));
        terminal.bytes = 0;
        for (let n = 0; n < TOKENS; n += 1) {
          text += delta(n);
          state = updateScreen(state, {type: 'event', event: updated(delta(n))}, n * 2).state;
          if (n % TOKENS_A_FRAME !== 0 && n < TOKENS - 1) continue;
          const frame = frameOf(state);
          surface.draw(frame);
          ({state} = updateScreen(state, {type: 'drawn', printed: frame.printed}, n * 2));
        }
        const scratch = emulator(SIZE);
        create(scratch, traits).redraw(frameOf(state), []);
        const live = Math.min(SIZE.rows, frameOf(state).live.length);
        expect(terminal.problems).toEqual([]);
        expect(bottomRows(terminal.screen(), live)).toEqual(bottomRows(scratch.screen(), live));
        expect(terminal.bytes / Buffer.byteLength(text)).toBeLessThan(6);
      });
    }
  }
});

function bottomRows(screen: readonly string[], count: number): readonly string[] {
  const end = screen.findLastIndex((row) => row !== '') + 1;
  return screen.slice(Math.max(0, end - count), end);
}

function started(): ScreenState {
  const state = initialState({size: SIZE, now: 0, appName: 'Fettle', folder: 'work', keymap: createKeymap().keymap});
  return updateScreen(
    state,
    {type: 'event', event: {type: 'item.started', turn_id: 'trn_1', item: {id: 'itm_1', type: 'agent_message', text: ''}}},
    0,
  ).state;
}

function updated(delta: string) {
  return {type: 'item.updated', turn_id: 'trn_1', item_id: 'itm_1', item_type: 'agent_message', delta} as const;
}
