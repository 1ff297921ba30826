import {span, type Line} from '../cells/line.ts';
import type {InputState} from './editor-state.ts';

/** Stands in front of the text; another one where the line goes to the shell. */
export function promptMark({text}: Pick<InputState, 'text'>): Line {
  const isShell = text.startsWith('!');
  return [span(isShell ? '! ' : '› ', isShell ? 'warning' : 'user', 'bold')];
}
