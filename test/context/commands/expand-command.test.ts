import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {readCommand} from '../../../src/context/commands/custom-command.ts';
import {expandCommand} from '../../../src/context/commands/expand-command.ts';

describe('expandCommand', () => {
  it.each([
    ['Look at $1 and $2.', 'a "b c"', 'Look at a and b c.'],
    ['All: $ARGUMENTS', ' a  b ', 'All: a  b'],
    ['No place.', 'a b', 'No place.\n\na b'],
    ['No place.', '', 'No place.'],
    ['$1 $2 $1', 'x', 'x  x'],
    ['$1', '$ARGUMENTS $2', '$ARGUMENTS'],
    ['costs $10, $ARGUMENTSX, $HOME', '', 'costs $10, $ARGUMENTSX, $HOME'],
    ['$1|$2|$3', `'a b'"c d" "e`, 'a bc d|"e|'],
  ])('%s with %s', (body, typed, expected) => {
    expect(expandCommand(body, typed)).toBe(expected);
  });

  it('what is typed is never expanded again, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        expect(expandCommand('[$ARGUMENTS]', typed)).toBe(`[${typed.trim()}]`);
      }),
    );
  });
});

describe('readCommand', () => {
  const read = (text: string) => readCommand(text, {name: 'x', file: '/x.md', isProject: false});

  it('takes description and hint of the front matter, else the first line', () => {
    expect(read('---\ndescription: Does\n  it.\nargument-hint: [file] \n---\nDo $1\n')).toEqual({
      name: 'x',
      file: '/x.md',
      isProject: false,
      description: 'Does it.',
      argumentHint: '[file]',
      body: 'Do $1',
    });
    expect(read('Just this.\nAnd that.')).toMatchObject({description: 'Just this.', argumentHint: '', body: 'Just this.\nAnd that.'});
  });

  it('an empty one, and broken front matter, are problems; what nobody sees is spelled out', () => {
    expect(read('---\na: [\n---\nx')).toEqual({problem: 'its front matter is not a YAML table'});
    expect(read('---\ndescription: x\n---\n')).toEqual({problem: 'it is empty'});
    expect(read('a\u202eb')).toMatchObject({body: 'a\\u202eb'});
  });
});
