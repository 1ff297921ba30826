import type {JobDefinition} from '../../../src/schedule/jobs/job-definition.ts';

/** A job as the tests need it. */
export function aJob(changes: Partial<JobDefinition> = {}): JobDefinition {
  return {
    name: 'nightly-checks',
    action: {kind: 'prompt', prompt: 'Run the checks.'},
    timing: {kind: 'cron', expression: '0 7 * * 1-5', timeZone: 'Europe/Berlin'},
    workspace: '/home/ann/app',
    missed: 'once',
    overlap: 'skip',
    notify: 'always',
    createdAt: Date.parse('2026-11-23T05:50:00.123Z'),
    project: `sha256:${'a'.repeat(64)}`,
    rights: {
      model: 'openai/gpt-6.2-sol',
      toolset: 'fettle',
      mode: 'accept-edits',
      sandbox: 'workspace-write',
      allow: ['bash:npm test *'],
      ask: [],
      deny: ['bash:npm publish *'],
      domains: ['registry.npmjs.org'],
      verify: ['npm test'],
      maxTurns: 50,
      maxTokens: 1_000_000,
      maxCostUsd: 0.5,
      maxTimeS: 1800,
    },
    ...changes,
  };
}
