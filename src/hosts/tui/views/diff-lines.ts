import {span, type Line} from '../cells/line.ts';
import type {FileDiff} from '../host-adapter.ts';
import {shownRow} from '../cells/shown-text.ts';
import {plainLines} from './plain-lines.ts';

export function diffLines({path, before = '', after}: FileDiff, width: number): readonly Line[] {
  const rows = (text: string, mark: '+' | '-'): readonly Line[] =>
    plainLines(text, {width, first: span(mark), rest: span(' '), style: [mark === '+' ? 'added' : 'removed']});
  return [[span(shownRow(path), 'bold')], ...rows(before, '-'), ...rows(after, '+')];
}
