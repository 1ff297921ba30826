import {mkdir, realpath, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {FettleError, systemErrorCode} from '../../../base/errors.ts';
import {fettlePaths} from '../../../config/paths.ts';
import {configTemplate} from '../../../config/template.ts';
import {projectRoot} from '../../../config/trust/project-root.ts';
import {agentsMd} from '../../../context/project-facts/agents-md.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import type {Io} from '../io.ts';

export interface InitOptions {
  readonly force?: true;
}

type What = 'config' | 'agents';

/**
 * `fettle init`: the commented configuration file of the user, and an AGENTS.md for the project, if they are
 * missing. Fails if all of them exist already.
 */
export async function init(io: Io, what: What | undefined, {force}: InitOptions): Promise<number> {
  const wanted = what === undefined ? (['config', 'agents'] as const) : [what];
  const written: What[] = [];
  const there: string[] = [];
  for (const one of wanted) {
    const target = one === 'config' ? configTarget(io) : await agentsTarget(io);
    if ('nothing' in target) {
      if (what !== undefined) throw new FettleError({code: 'NOT_FOUND', message: target.nothing, hint: 'Write it by hand.'});
      continue;
    }
    if (await isWritten(target, force === true)) {
      io.data(`${target.path}\n`);
      written.push(one);
    } else there.push(target.path);
  }
  if (written.length === 0 && there.length > 0) throw exists(there);
  for (const path of there) io.note(`${path} already exists; it stays as it is.`);
  if (written.includes('config')) io.note('Uncomment a model in it, then try it with `fettle models test`.');
  if (written.includes('agents')) io.note('Correct AGENTS.md, then let Fettle follow it: `fettle trust`.');
  return EXIT.done;
}

interface Target {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
  readonly isOfProject: boolean;
}

function configTarget(io: Io): Target {
  return {path: fettlePaths({env: io.env, home: io.home}).configFile, text: configTemplate(), mode: 0o600, isOfProject: false};
}

async function agentsTarget(io: Io): Promise<Target | {readonly nothing: string}> {
  const [cwd, home] = await Promise.all([realpath(io.cwd), realpath(io.home).catch(() => io.home)]);
  const {root, canBeTrusted} = await projectRoot(cwd, home);
  const text = canBeTrusted ? await agentsMd(root) : undefined;
  if (text !== undefined) return {path: join(root, 'AGENTS.md'), text, mode: 0o644, isOfProject: true};
  return {
    nothing: canBeTrusted
      ? `Nothing was found in ${root} that an AGENTS.md could say.`
      : `${root} is not a project: it is your home folder.`,
  };
}

/** False if there is one already. */
async function isWritten({path, text, mode, isOfProject}: Target, force: boolean): Promise<boolean> {
  await mkdir(dirname(path), {recursive: true, mode: 0o700});
  // A repository may contain a link: its target is not written to.
  if (force && isOfProject) await rm(path, {force: true});
  try {
    await writeFile(path, text, {flag: force && !isOfProject ? 'w' : 'wx', mode});
    return true;
  } catch (cause) {
    if (systemErrorCode(cause) !== 'EEXIST') throw cause;
    return false;
  }
}

function exists(paths: readonly string[]): FettleError {
  const verb = paths.length === 1 ? 'exists' : 'exist';
  const hint = 'Edit it, or replace it with `fettle init --force`; `fettle init config` and `fettle init agents` write one of the two.';
  return new FettleError({code: 'CONFIG', message: `${paths.join(' and ')} ${verb} already.`, hint});
}
