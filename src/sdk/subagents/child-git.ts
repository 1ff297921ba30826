import {childEnvironment, type Variables} from '../../exec/variables/child-environment.ts';
import {pathWithout} from '../../exec/variables/path-variable.ts';
import {runGit, type GitAnswer} from '../../exec/process/run-git.ts';
import type {SessionSettings} from '../settings/session-settings.ts';

/** Git in one folder, as Fettle itself uses it: it runs nothing that the repository names. */
export interface Git {
  readonly cwd: string;
  run(
    args: readonly string[],
    more?: {readonly input?: string; readonly accepts?: readonly number[]; readonly signal?: AbortSignal},
  ): Promise<GitAnswer>;
  /** Runs git and returns its output as text. */
  text(args: readonly string[], accepts?: readonly number[]): Promise<string>;
  /** The same without the line feed at its end. */
  line(args: readonly string[], accepts?: readonly number[]): Promise<string>;
  /** With further variables. */
  with(variables: Variables): Git;
}

/** The configuration is read again each time, so that nothing a subagent configures is run. Filters of the person's own (Git LFS) stay in force. */
export async function gitFor(
  {env, home, trust}: Pick<SessionSettings, 'env' | 'home' | 'trust'>,
  {top, cwd}: {top: string; cwd: string},
): Promise<Git> {
  const {safeGitFor} = await import('../trust/trust-git.ts');
  const safe = await safeGitFor(cwd, {root: top, env, home});
  const variables = childEnvironment(env);
  const PATH = pathWithout(variables['PATH'] ?? '', [top, cwd, ...(trust.root === '' ? [] : [trust.root])]);
  return gitWith(cwd, {...variables, ...safe, PATH, GIT_OPTIONAL_LOCKS: '0'});
}

function gitWith(cwd: string, env: Variables): Git {
  const git: Git = {
    cwd,
    run: async (args, more = {}) => await runGit({cwd, args, env, ...more}),
    text: async (args, accepts) => (await git.run(args, {accepts: accepts ?? []})).stdout.toString('utf8'),
    line: async (args, accepts) => (await git.text(args, accepts)).replace(/\n$/, ''),
    with: (variables) => gitWith(cwd, {...env, ...variables}),
  };
  return git;
}
