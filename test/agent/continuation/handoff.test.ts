import {describe, expect, it} from 'vitest';
import {handoffMarkdown, resumeCommand} from '../../../src/agent/continuation/handoff.ts';

describe('VT Code › blocked handoff: front matter, blocker, tracker snapshot, paths, resume', () => {
  it('has all that a person needs, and output cannot break out of it', () => {
    const text = handoffMarkdown({
      threadId: 'thr_1',
      outcome: 'blocked',
      summary: 'It does not build.',
      createdAt: new Date('2026-01-02T03:04:05Z'),
      workspace: '/repo "a"',
      todos: [
        {
          id: '1',
          content: 'build\nit',
          status: 'in_progress',
          priority: 'low',
          files: ['a.ts', 'b.ts'],
          outcome: 'builds',
          verify: ['make'],
        },
        {id: '2', content: 'ship', status: 'blocked', priority: 'low'},
      ],
      results: [
        {command: 'true', state: 'passed', exitCode: 0, output: '', durationMs: 40},
        {command: 'make', state: 'failed', exitCode: 2, output: '````\n# fake\n', durationMs: 61_000},
      ],
      commands: ['make'],
      paths: ['src/a.ts'],
    });
    expect(text).toMatchInlineSnapshot(`
      "---
      session_id: "thr_1"
      outcome: "blocked"
      created_at: "2026-01-02T03:04:05.000Z"
      workspace: "/repo \\"a\\""
      resume_command: "fettle exec --resume thr_1 --verify 'make' 'Go on.'"
      ---

      # What blocks

      It does not build.

      # Tasks

      - [/] build it
        - files: a.ts, b.ts
        - outcome: builds
        - verify: make
      - [!] ship

      # Verification

      - \`true\` exited with 0 after 0.0 s

      - \`make\` exited with 2 after 61.0 s

      \`\`\`\`\`
      \`\`\`\`
      # fake
      \`\`\`\`\`

      # Paths

      - src/a.ts
      "
    `);
  });

  it('the command to resume quotes what it repeats', () => {
    expect(resumeCommand({threadId: 'thr_1', commands: ["echo 'a b'; rm -rf x"]})).toBe(
      `fettle exec --resume thr_1 --verify 'echo '\\''a b'\\''; rm -rf x' 'Go on.'`,
    );
  });
});
