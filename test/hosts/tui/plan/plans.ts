import type {PlanQuestion} from '../../../../src/hosts/tui/plan/plan-question.ts';

export const PLAN = `# Move the parser

Why: the **module** is too large.

## Steps

1. Cut \`parse.ts\`
   - keep the exports
2. Sew

| file | lines |
|---|---|
| a.ts | 10 |

## Tests

\`\`\`sh
npm test
\`\`\`
`;

export const QUESTION: PlanQuestion = {
  plan: PLAN,
  path: '.fettle/tasks/t/plan.md',
  choices: [
    {label: 'Yes, accept edits', description: 'Edits run without a question.', accepts: true},
    {label: 'Yes, ask me', description: 'Each change is asked about.', accepts: true},
    {label: 'Keep planning', description: 'Nothing changes.', accepts: false},
  ],
};
