import {initialState, type ScreenState} from '../../src/hosts/tui/model/screen-state.ts';
import {createKeymap} from '../../src/hosts/tui/keys/keymap.ts';
import {updateScreen} from '../../src/hosts/tui/pager/update-screen.ts';
import {loadLanguage} from '../../src/hosts/tui/views/code/highlight-code.ts';
import {loadDiff} from '../../src/hosts/tui/views/diff/load-diff.ts';
import {frameOf} from '../../src/hosts/tui/views/frame.ts';
import {loadMarkdown} from '../../src/hosts/tui/views/markdown/load-markdown.ts';
import {missingLibraries} from '../../src/hosts/tui/views/missing-libraries.ts';
import {asked, conversation, palette, working, type Scene} from './scenes.ts';
import {screenSvg} from './screen-svg.ts';

const FOLDER = 'docs/guide/pictures';

/** The pictures of the guide: what the views of the screen show after some actions, by file. */
export const TERMINAL_PICTURES: Readonly<Record<string, () => Promise<string>>> = {
  [`${FOLDER}/terminal.svg`]: () => picture(conversation(), {rows: 32, title: 'A conversation in which an edit waits for an answer'}),
  [`${FOLDER}/terminal-working.svg`]: () => picture(working(), {rows: 28, title: 'A turn at work, with what was typed ahead'}),
  [`${FOLDER}/terminal-approval.svg`]: () => picture(asked(), {rows: 16, title: 'The approval of a command, with the rule it would store'}),
  [`${FOLDER}/terminal-commands.svg`]: async () =>
    picture(await palette(), {rows: 11, title: 'The commands that begin with what was typed'}),
};

const COLUMNS = 80;

async function picture(scene: Scene, {rows, title}: {readonly rows: number; readonly title: string}): Promise<string> {
  await loadMarkdown();
  const state = played(scene, rows);
  for (const library of missingLibraries(state)) await (library === 'diff' ? loadDiff() : loadLanguage(library.slice('language:'.length)));
  const {above, live, cursor} = frameOf(state);
  const lines = [...above, ...live];
  const scrolled = Math.max(0, lines.length - rows);
  const at = cursor === undefined ? undefined : {row: cursor.row + above.length - scrolled, column: cursor.column};
  return screenSvg({columns: COLUMNS, lines: lines.slice(scrolled), cursor: at, title});
}

function played(scene: Scene, rows: number): ScreenState {
  const keymap = createKeymap().keymap;
  let now = 0;
  let state = initialState({size: {columns: COLUMNS, rows}, now, appName: 'Fettle', folder: 'durations', keymap});
  for (const [seconds, action] of scene) {
    now += seconds * 1000;
    ({state} = updateScreen(state, action, now));
  }
  return state;
}
