import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {onTestFinished} from 'vitest';
import {createExecEnvironment} from '../../../src/exec/create-environment.ts';
import {hiddenPlaces} from '../../../src/exec/sandbox/linux/hidden-paths.ts';
import {openSandbox} from '../../../src/exec/sandbox/open-sandbox.ts';
import type {Sandbox, SandboxRules} from '../../../src/exec/sandbox/sandbox.ts';
import {isFettleError} from '../../../src/base/errors.ts';
import {protectedWrite} from '../../../src/policy/places/protected-paths.ts';
import {RESERVED_NAMES} from '../../../src/sdk/settings/reserved-names.ts';
import {gitPrograms} from '../../../src/sdk/trust/scan-git-config.ts';
import {isPublicAddress} from '../../../src/tools/web/public-address.ts';
import {scratch} from '../../support/scratch.ts';

export interface Walled {
  readonly root: string;
  readonly home: string;
  readonly outside: string;
  readonly state: string;
  readonly sandbox: Sandbox;
  /** The exit code, and what it wrote. */
  run(line: string): Promise<{code: number | null; out: string; err: string}>;
}

/** A repository in a sandbox, beside a home with keys. */
export async function sandboxed(rules: Partial<SandboxRules> = {}, files: Readonly<Record<string, string>> = {}): Promise<Walled> {
  const root = await scratch({'a.txt': 'one\n', ...files});
  const home = await scratch({
    '.ssh/id_ed25519': 'KEY\n',
    '.aws/credentials': 'KEY\n',
    '.netrc': 'KEY\n',
    '.config/gh/hosts.yml': 'KEY\n',
    'notes.txt': 'plain\n',
  });
  const outside = await scratch({'b.txt': 'two\n'});
  const state = await scratch({'sessions/log.jsonl': 'KEY\n'});
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'config', 'user.email', 'a@b.example');
  git(root, 'config', 'user.name', 'n');
  // Hidden as a whole, these folders would not be there to try.
  const sandbox = await openSandbox({
    profile: 'workspace-write',
    root,
    writable: [],
    hidden: hiddenPlaces({homes: [home], own: [state], isRoot: false}),
    visible: [home, outside],
    autoloaded: (path) => protectedWrite(path) !== undefined,
    reserved: RESERVED_NAMES,
    gitPrograms,
    network: {open: false, domains: [], isPublic: isPublicAddress},
    stateDir: state,
    ...rules,
  });
  onTestFinished(() => sandbox.close());
  const exec = createExecEnvironment({cwd: root, spoolDir: join(state, 'spool'), env: {PATH: process.env['PATH'], HOME: home}, sandbox});
  return {
    root,
    home,
    outside,
    state,
    sandbox,
    async run(line) {
      const capture = {headBytes: 8000, tailBytes: 8000};
      const {exitCode, stdout, stderr} = await exec.run({shell: line, timeoutMs: 15_000, capture}, new AbortController().signal);
      return {code: exitCode, out: stdout.head, err: stderr.head};
    },
  };
}

export function git(folder: string, ...args: string[]): string {
  return execFileSync('git', args, {cwd: folder, encoding: 'utf8'});
}

/** Why there are no walls on this machine; undefined: there are. Anything but their absence is a failure of the test. */
export async function missingSandbox(): Promise<string | undefined> {
  const root = '/usr';
  const stateDir = join(import.meta.dirname, '../../../node_modules/.fettle-sandbox-probe');
  try {
    const sandbox = await openSandbox({
      profile: 'read-only',
      root,
      writable: [],
      hidden: [],
      visible: [],
      autoloaded: () => false,
      reserved: [],
      gitPrograms,
      network: {open: false, domains: [], isPublic: isPublicAddress},
      stateDir,
    });
    await sandbox.close();
    return undefined;
  } catch (error) {
    if (isFettleError(error) && error.code === 'UNAVAILABLE') return error.message;
    throw error;
  }
}
