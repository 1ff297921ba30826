import type {Verifier} from './verifier.ts';

/**
 * Verifiers for kinds of files, run after a change. The first: "Triggers the cargo verifier if the path ends in
 * .rs" (microcode tools › write, edit).
 */
export const VERIFIERS: readonly Verifier[] = [
  {
    name: 'cargo check',
    extension: '.rs',
    projectFile: 'Cargo.toml',
    program: 'cargo',
    args: ['check', '--message-format=short', '--quiet'],
    timeoutMs: 60_000,
    error: /^.+:\d+:\d+: error\b/,
    warning: /^.+:\d+:\d+: warning\b/,
  },
];
