import {describe, expect, it} from 'vitest';
import {createRedactor} from '../../../src/base/redact.ts';
import type {CellRun, LiveContent, ScreenCells} from '../../../src/protocol/live-command.ts';
import {redactContent} from '../../../src/sdk/live/redact-content.ts';

const SECRET = 'hunter2-hunter2';
const redactor = createRedactor({secrets: [SECRET], shapes: false});
const MARK = redactor.text(SECRET);
const run = (text: string, look?: CellRun['look']): CellRun => ({text, columns: text.length, ...(look === undefined ? {} : {look})});
const screenOf = (columns: number, lines: ScreenCells['lines'], title = ''): LiveContent => ({
  type: 'screen',
  screen: {columns, rows: 5, lines, cursor: undefined, title, applicationKeys: false, bracketedPaste: false},
});

describe('what hosts see of a command has no secrets', () => {
  it('output', () => {
    expect(redactContent({type: 'output', text: `token ${SECRET}\n`, isCut: false}, redactor)).toEqual({
      type: 'output',
      text: `token ${MARK}\n`,
      isCut: false,
    });
  });

  it('a screen without one is the same object', () => {
    const content = screenOf(40, [[run('plain'), run('red', {fg: 1})], []]);
    expect(redactContent(content, redactor)).toBe(content);
  });

  it('a row that has one loses its colours; the others keep theirs', () => {
    const other = [run('red', {fg: 1})];
    const content = screenOf(40, [[run('a '), run(SECRET.slice(0, 5), {fg: 1}), run(SECRET.slice(5))], other]);
    expect(redactContent(content, redactor)).toEqual(screenOf(40, [[run(`a ${MARK}`)], other]));
  });

  it('one that goes on in the next row is found', () => {
    const content = screenOf(10, [[run(SECRET.slice(0, 10))], [run(`${SECRET.slice(10)} b`)], [run('end')]]);
    const told = redactContent(content, redactor);
    expect(JSON.stringify(told)).not.toContain('hunter2');
    expect(told.type === 'screen' && told.screen.lines.length).toBe(3);
  });

  it('a title', () => {
    expect(redactContent(screenOf(10, [], SECRET), redactor)).toEqual(screenOf(10, [], MARK));
  });
});
