import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {parsePlanSteps} from '../../../src/tools/ports/parse-plan-steps.ts';

const steps = (plan: string) => parsePlanSteps(plan).map((step) => ({...step, id: undefined, status: undefined, priority: undefined}));

describe('VT Code › plan mode: "numbered, step -> files: [..] -> verify: [..]"', () => {
  it('reads both ways to write details', () => {
    expect(parsePlanSteps('1. Parse -> files: [src/a.ts, src/b.ts] -> verify: [npm test -- a; npm run lint]')).toEqual([
      {
        id: '1',
        status: 'pending',
        priority: 'medium',
        content: 'Parse',
        files: ['src/a.ts', 'src/b.ts'],
        verify: ['npm test -- a', 'npm run lint'],
      },
    ]);
    const below = `# Plan
1) First step
   - files: a.ts
   - outcome: it parses, really
   - verify: \`npm test; echo x\`, \`make\`
   - a remark
2. Second
`;
    expect(steps(below)).toEqual([
      {content: 'First step', files: ['a.ts'], outcome: 'it parses, really', verify: ['npm test; echo x', 'make']},
      {content: 'Second'},
    ]);
  });

  it('only below the heading for steps, where there is one; never in code', () => {
    const plan = '# Summary\n1. not this\n## Implementation Steps\n1. this\n```\n2. code\n```\n## Assumptions\n1. nor this\n';
    expect(steps(plan)).toEqual([{content: 'this'}]);
    expect(steps('No numbers here.\n- a bullet -> verify: true')).toEqual([]);
  });

  it('bounded, whatever a model writes', () => {
    fc.assert(
      fc.property(
        fc.string({unit: fc.constantFrom('1', '.', ' ', '\n', '-', '>', 'verify:', 'files:', '[', ']', '`', ';', 'x')}),
        (plan) => {
          const found = parsePlanSteps(plan);
          expect(
            found.every(
              ({content, verify = []}) => content !== '' && verify.every((command) => command.trim() === command && command !== ''),
            ),
          ).toBe(true);
        },
      ),
    );
    const many = Array.from({length: 80}, (_, index) => `${index + 1}. ${'x'.repeat(3000)}`).join('\n');
    expect([parsePlanSteps(many).length, parsePlanSteps(many)[0]?.content.length]).toEqual([50, 2000]);
  });
});
