import {span, type Line} from '../cells/line.ts';
import type {InputState} from './editor-state.ts';

/** Returns the mark in front of the text; a different one if the line goes to the shell. */
export function promptMark({text}: Pick<InputState, 'text'>): Line {
  const isShell = text.startsWith('!');
  return [span(isShell ? '! ' : '› ', isShell ? 'warning' : 'user', 'bold')];
}
