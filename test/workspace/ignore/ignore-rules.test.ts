import {describe, expect, it} from 'vitest';
import {parseIgnoreRules} from '../../../src/workspace/ignore/ignore-rules.ts';

function judge(content: string, path: string, options: {ignoreCase?: boolean; isFolder?: boolean} = {}): string {
  const at = path.lastIndexOf('/') + 1;
  const rules = parseIgnoreRules(Buffer.from(content), options.ignoreCase).inFolder(path.slice(0, at));
  return rules?.(path.slice(at), options.isFolder === true) ?? 'none';
}

describe('gitignore(5), one file', () => {
  it('the last line that matches decides', () => {
    expect(['a.log', 'keep.log', 'b.txt'].map((path) => judge('*.log\n!keep.log\n', path))).toEqual(['ignored', 'included', 'none']);
    expect(judge('!keep.log\n*.log\n', 'keep.log')).toBe('ignored');
    expect(judge('a\n/a\n!*\n', 'a')).toBe('included');
  });

  it('a BOM, CR LF, a missing last line feed, comments and blanks at the end', () => {
    expect(judge('\uFEFFa\r\n', 'a')).toBe('ignored');
    expect(judge('x\r\na  ', 'a')).toBe('ignored');
    expect(judge('#a', '#a')).toBe('none');
    expect(judge('\\#a', '#a')).toBe('ignored');
    expect(judge('a\\ ', 'a ')).toBe('ignored');
    expect(judge('a\t', 'a')).toBe('none');
    expect(judge('a\0b', 'a')).toBe('ignored');
  });

  it('a slash anchors, a slash at the end means folders', () => {
    expect([judge('/a', 'a'), judge('/a', 'd/a'), judge('d/a', 'd/a'), judge('d/a', 'e/d/a')]).toEqual([
      'ignored',
      'none',
      'ignored',
      'none',
    ]);
    expect([judge('a/', 'a'), judge('a/', 'd/a', {isFolder: true})]).toEqual(['none', 'ignored']);
    expect([judge('**/a', 'x/y/a'), judge('a/**/b', 'a/b'), judge('a/**', 'a')]).toEqual(['ignored', 'ignored', 'none']);
  });

  it('case matters unless core.ignoreCase says no', () => {
    expect([judge('A*', 'ab'), judge('A*', 'aB', {ignoreCase: true}), judge('D/[a-c]', 'd/B', {ignoreCase: true})]).toEqual([
      'none',
      'ignored',
      'ignored',
    ]);
  });

  it('many lines with stars on a long name end in bounded time', () => {
    const content = Array.from({length: 200}, (_, i) => `${'*a'.repeat(60)}${i}*`).join('\n');
    expect(judge(content, 'a'.repeat(250))).toBe('none');
  }, 5000);
});
