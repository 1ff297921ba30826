import {realpath} from 'node:fs/promises';
import {resolve} from 'node:path';
import {FettleError} from '../../../base/errors.ts';
import {visibleText} from '../../../base/visible-text.ts';
import {fettlePaths, type FettlePaths} from '../../../config/paths.ts';
import type {ProjectTrust} from '../../../config/trust/evaluate-project.ts';
import {trustQuestion} from '../../../config/trust/trust-question.ts';
import {folderIdentity, forgetTrust, listTrust} from '../../../config/trust/trust-store.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {readWholeProject, storeTrust} from '../../../sdk/trust/trust-project.ts';
import {askTrust} from '../trust/ask-trust.ts';
import type {Io} from '../io.ts';
import {refuseInsideFettle} from '../refuse-inside-fettle.ts';

export interface TrustOptions {
  readonly yes?: true;
  readonly show?: true;
  readonly list?: true;
  readonly revoke?: true;
}

/** `fettle trust`: shows what the project would run or load, asks, and stores the answer. Exit code 3 if the answer is no. */
export async function trust(io: Io, asked: string | undefined, options: TrustOptions): Promise<number> {
  const paths = fettlePaths({env: io.env, home: io.home});
  if (options.list === true) return await list(io, paths);
  const cwd = await folderAt(resolve(io.cwd, asked ?? '.'));
  const project = await readWholeProject({cwd, home: io.home, env: io.env});
  if (options.revoke === true) return await revoke(io, project, paths);
  refuseTooWide(project);
  io.data(`${visibleText(project.root)}: ${STATES[project.state]}\n${await trustQuestion(project)}`);
  if (options.show === true) return EXIT.done;
  if (project.state === 'trusted' || project.state === 'empty') return EXIT.done;
  if (project.items.length === 0) return EXIT.failed;
  refuseInsideFettle(io, {cannot: 'trust a project', instead: 'fettle trust'});
  if (options.yes !== true && !(await isTrusted(io))) return EXIT.denied;
  await storeTrust(project, paths);
  io.note('Trusted, as it is now. When something of it changes, you are asked again. `fettle trust --revoke` takes it back.');
  return EXIT.done;
}

const STATES: Readonly<Record<ProjectTrust['state'], string>> = {
  trusted: 'trusted, and unchanged since',
  changed: 'has changed since it was trusted; nothing of it is used until you trust this:',
  unknown: 'not trusted; it would run or load:',
  empty: 'there is nothing to trust; git runs no hooks, filters and programs of its repositories',
  refused: 'cannot be trusted',
};

async function isTrusted(io: Io): Promise<boolean> {
  if (!io.interactive) {
    const hint = 'Look at it with `fettle trust --show`, then trust it with `fettle trust --yes`.';
    throw new FettleError({code: 'USAGE', message: 'No terminal is available to ask on.', hint});
  }
  return (await askTrust({session: false})) === 'trust';
}

function refuseTooWide({state, root}: ProjectTrust): void {
  if (state !== 'refused') return;
  const message = `${visibleText(root)} cannot be trusted: it is your home folder, or holds it.`;
  throw new FettleError({code: 'USAGE', message, hint: 'Name the folder of one project.'});
}

async function folderAt(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined && (await folderIdentity(real)) !== undefined) return real;
  throw new FettleError({code: 'USAGE', message: `${visibleText(path)} is not a folder.`, hint: 'Name the folder of a project.'});
}

async function revoke(io: Io, {root}: ProjectTrust, {stateDir}: FettlePaths): Promise<number> {
  const had = await forgetTrust(stateDir, root);
  io.note(`${visibleText(root)}: ${had ? 'no longer trusted' : 'was not trusted'}.`);
  return EXIT.done;
}

async function list(io: Io, {stateDir}: FettlePaths): Promise<number> {
  for (const {root, folder, items} of await listTrust(stateDir)) {
    const found = await folderIdentity(root);
    const gone = found === undefined ? '  (does not exist)' : found === folder ? '' : '  (another folder has its name)';
    io.data(`${visibleText(root)}  ${items.length} ${items.length === 1 ? 'item' : 'items'}${gone}\n`);
  }
  return EXIT.done;
}
