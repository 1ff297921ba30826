import {readdir} from 'node:fs/promises';
import type {OpenThreadOptions} from '../thread/thread-options.ts';

/** The features of a task that are known before the first request. The folder is listed once, and no file is read. */
export async function taskFeatures({
  session,
  approve,
  task,
}: Pick<OpenThreadOptions, 'session' | 'approve' | 'task'>): Promise<Readonly<Record<string, string | number>>> {
  const names = new Set(await readdir(session.cwd).catch(() => []));
  const [, language = 'other'] = LANGUAGES.find(([name]) => names.has(name)) ?? [];
  return {
    kind: approve === undefined ? 'exec' : 'chat',
    language,
    ...(task === undefined ? {} : {size: Math.log10(1 + task.length) / 4}),
  };
}

/** Files at the root of a project that name its language, the clearest first. */
const LANGUAGES: readonly (readonly [string, string])[] = [
  ['Cargo.toml', 'rust'],
  ['go.mod', 'go'],
  ['pyproject.toml', 'python'],
  ['setup.py', 'python'],
  ['requirements.txt', 'python'],
  ['pom.xml', 'java'],
  ['build.gradle', 'java'],
  ['build.gradle.kts', 'kotlin'],
  ['Gemfile', 'ruby'],
  ['composer.json', 'php'],
  ['CMakeLists.txt', 'c++'],
  ['tsconfig.json', 'typescript'],
  ['package.json', 'javascript'],
];
