import {describe, expect, it} from 'vitest';
import {isFettleError} from '../../../src/base/errors.ts';
import {parseRule, type ParsedRule} from '../../../src/policy/rules/parse-rule.ts';

function parsed(text: string): ParsedRule {
  return parseRule({text, effect: 'allow', source: 'user'});
}

function problem(text: string): unknown {
  try {
    return parsed(text);
  } catch (thrown) {
    return isFettleError(thrown) ? [thrown.code, thrown.message, thrown.hint !== undefined] : thrown;
  }
}

describe('parseRule', () => {
  it('splits at the first colon and makes blanks single', () => {
    const {pattern, words, namesTool} = parsed('bash:curl  https://a:8080/*');
    expect({pattern, words, bash: namesTool('bash'), other: namesTool('bashful')}).toEqual({
      pattern: 'curl https://a:8080/*',
      words: ['curl', 'https://a:8080/*'],
      bash: true,
      other: false,
    });
  });

  it('a tool alone means all its uses', () => {
    expect(parsed('write').pattern).toBe('*');
  });

  it('the tool part may be a glob or a regular expression', () => {
    expect(['mcp__a__x', 'mcp__b__x'].map(parsed('mcp__a__*').namesTool)).toEqual([true, false]);
    expect(['write', 'edit', 'rewrite'].map(parsed('re:write|edit:src/*').namesTool)).toEqual([true, true, false]);
    expect(parsed('re:write|edit:src/*').pattern).toBe('src/*');
  });

  it.each([
    ['bash:', 'The permission rule "bash:" (user) is wrong: it has no pattern.'],
    ['', 'The permission rule "" (user) is wrong: it names no tool.'],
    [':ls', 'The permission rule ":ls" (user) is wrong: it names no tool.'],
    ['re::ls', 'The permission rule "re::ls" (user) is wrong: it names no tool.'],
    ['re:(:ls', 'The permission rule "re:(:ls" (user) is wrong: its regular expression cannot be read.'],
    ['allow bash:ls', 'The permission rule "allow bash:ls" (user) is wrong: "allow bash" is not the name of a tool.'],
  ])('%j is a mistake of the configuration', (text, message) => {
    expect(problem(text)).toEqual(['CONFIG', message, true]);
  });
});
