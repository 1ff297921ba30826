import {readSuite} from '../../../src/lab/suite/read-suite.ts';
import type {SuiteFacts} from '../../../src/lab/suite/suite-facts.ts';
import type {Suite} from '../../../src/lab/suite/task.ts';

/** A machine with the usual programs, bubblewrap, and no container engine. */
export const FACTS: SuiteFacts = {
  programs: new Set(['sh', 'bash', 'ls', 'python3', 'git', 'bwrap', 'gcc', 'make', 'curl']),
  importsFolder: '/nonexistent/imports',
};

export async function read(path: string, facts: Partial<SuiteFacts> = {}): Promise<Suite> {
  return await readSuite(path, {...FACTS, ...facts}, new AbortController().signal);
}
