import {chmod, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {scratch} from '../../support/scratch.ts';

interface FakeEngine {
  readonly env: Readonly<Record<string, string>>;
  /** The arguments of each call so far, with a program in front where there are several. */
  calls(): Promise<readonly string[]>;
}

/** Programs on a PATH of their own that note their arguments and then run these shell lines, with the arguments as `$@`. */
export async function fakeEngine(programs: Readonly<Partial<Record<'docker' | 'podman', string>>>): Promise<FakeEngine> {
  const files = Object.entries(programs).map(([name, lines]): [string, string] => [
    `bin/${name}`,
    `#!/bin/sh\nprintf '%s' "${name}" >> "$DOCKER_NOTES"\nfor arg in "$@"; do printf ' %s' "$arg" >> "$DOCKER_NOTES"; done\necho >> "$DOCKER_NOTES"\n${lines}\n`,
  ]);
  const folder = await scratch({...Object.fromEntries(files), notes: ''});
  for (const [path] of files) await chmod(join(folder, path), 0o755);
  const notes = join(folder, 'notes');
  return {
    // Real engines of this machine are not on it. The variable is one of those that engines get.
    env: {PATH: join(folder, 'bin'), DOCKER_NOTES: notes},
    calls: async () => (await readFile(notes, 'utf8')).split('\n').filter((line) => line !== ''),
  };
}
