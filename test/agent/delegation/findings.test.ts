import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {parseFindings} from '../../../src/agent/delegation/findings.ts';

describe('the report of a subagent (VT Code › delegation › return contract)', () => {
  it('Summary, Facts, Touched Files, Verification, Open Questions', () => {
    const text = `Done.

## Summary
The bug is in the parser,
and it is mended.

## Facts
- src/a.ts:3 drops the last line
  when it has no newline
1. \`b\` calls it

## Touched Files
- \`src/a.ts\`
- src/b.ts – renamed a variable

## Verification
- npm test: passed

## Open Questions
- None
`;
    expect(parseFindings('worker-1', text)).toEqual({
      agent: 'worker-1',
      summary: 'The bug is in the parser,\nand it is mended.',
      facts: ['src/a.ts:3 drops the last line when it has no newline', '`b` calls it'],
      touched_files: ['src/a.ts', 'src/b.ts'],
      verification: ['npm test: passed'],
      open_questions: [],
    });
  });

  it.each([
    ['bold headings', '**Summary**\nS\n**Facts:**\n- f'],
    ['headings with colons', 'Summary: S\nFacts:\n* f'],
    ['another level, order and case', '# FACTS\n• f\n### summary\nS'],
    ['CRLF', '## Summary\r\nS\r\n## Facts\r\n- f\r\n'],
    ['a remark behind the heading', '## Summary\nS\n## Facts (each with its place as path:line)\n- f'],
  ])('is read leniently: %s', (_, text) => {
    const {summary, facts} = parseFindings('a', text);
    expect({summary, facts}).toEqual({summary: 'S', facts: ['f']});
  });

  it('"non-conforming text → raw note": all of it is the summary, and nothing is a fact', () => {
    expect(parseFindings('a', 'It is in a.ts.\n- really')).toEqual({
      agent: 'a',
      summary: 'It is in a.ts.\n- really',
      facts: [],
      touched_files: [],
      verification: [],
      open_questions: [],
    });
  });

  it('a word in a sentence is not a heading', () => {
    expect(parseFindings('a', 'Summary of it\nfacts are few').summary).toBe('Summary of it\nfacts are few');
  });

  it('any text makes a bounded finding', () => {
    const line = fc.oneof(
      fc.constantFrom('## Facts', '## Summary', '- None', '- x', '**Open questions:** y', '', '  more'),
      fc.string({maxLength: 2000}),
    );
    fc.assert(
      fc.property(fc.array(line, {maxLength: 200}), (lines) => {
        const {summary, facts, open_questions: open} = parseFindings('a', lines.join('\n'));
        expect(summary.length).toBeLessThanOrEqual(4001);
        for (const list of [facts, open]) {
          expect(list.length).toBeLessThanOrEqual(40);
          for (const bullet of list) expect(bullet.length).toBeLessThanOrEqual(2600);
        }
      }),
    );
  });

  it('hostile text costs no time', () => {
    const began = process.cpuUsage();
    parseFindings('a', `${'#'.repeat(100_000)} ${'a '.repeat(200_000)}\n${'**'.repeat(100_000)}\n${'- '.repeat(100_000)}`);
    expect(process.cpuUsage(began).user).toBeLessThan(1_000_000);
  });
});
