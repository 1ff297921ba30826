import {constants, existsSync} from 'node:fs';
import {mkdir, open} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {FettleError, systemErrorCode} from '../../base/errors.ts';
import {INSTRUCTION_NAMES} from '../../config/trust/instruction-text.ts';
import type {ProjectTrust} from '../../config/trust/evaluate-project.ts';
import {trustItemText} from '../../config/trust/trust-item.ts';
import {readProject, storeTrust} from '../trust/trust-project.ts';
import type {SessionSettings} from './session-settings.ts';

export interface InstructionFiles {
  /** Absent if the folder is not a project, as a home folder. */
  readonly project?: string | undefined;
  readonly personal: string;
}

type Session = Pick<SessionSettings, 'cwd' | 'home' | 'paths' | 'env' | 'settings' | 'trust'>;

/** Finds the instruction files to which a person can add a line: the one in use at the root of the project, and their own. */
export function instructionFiles({trust, paths}: Pick<Session, 'trust' | 'paths'>): InstructionFiles {
  const personal = join(paths.configDir, 'AGENTS.md');
  if (trust.state === 'refused') return {personal};
  const project = INSTRUCTION_NAMES.map((name) => join(trust.root, name)).find((path) => existsSync(path));
  return {project: project ?? join(trust.root, 'AGENTS.md'), personal};
}

/**
 * Adds a line that a person wrote to an instruction file. If the project was trusted, or had nothing to trust,
 * and nothing but this line has changed, it stays trusted. Throws DENIED for a link: a repository may have
 * brought it along, and it may lead anywhere.
 */
export async function addInstruction(session: Session, {path, line}: {readonly path: string; readonly line: string}): Promise<void> {
  const isPersonal = path.startsWith(join(session.paths.configDir, '/'));
  const before = isPersonal ? undefined : await projectOf(session);
  const text = await textOf(path);
  const added = `${text === undefined || text === '' || text.endsWith('\n') ? '' : '\n'}- ${line.replaceAll(/\s+/g, ' ').trim()}\n`;
  await append(path, added, isPersonal);
  if (before !== undefined) await renewTrust(session, before, {path, text: `${text ?? ''}${added}`});
}

async function projectOf({cwd, home, paths, env, settings}: Session): Promise<ProjectTrust> {
  return await readProject({cwd, home, paths, env, instructionFiles: settings.context.instruction_files});
}

async function renewTrust(session: Session, before: ProjectTrust, expected: {readonly path: string; readonly text: string}): Promise<void> {
  if (before.state !== 'trusted' && before.state !== 'empty') return;
  const now = await projectOf(session);
  const changed = now.state === 'unknown' && now.problems.length === 0 ? now.items : now.changed.map(({item}) => item);
  const isOurs = changed.every((item) => join(now.root, item.path) === expected.path && trustItemText(item) === expected.text);
  if (changed.length > 0 && isOurs) await storeTrust(now, session.paths);
}

/** undefined without a file. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) throw notAFile(path);
    return await file.readFile('utf8');
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return undefined;
    throw systemErrorCode(thrown) === 'ELOOP' ? notAFile(path, thrown) : thrown;
  }
}

async function append(path: string, text: string, isPersonal: boolean): Promise<void> {
  if (isPersonal) await mkdir(dirname(path), {recursive: true, mode: 0o700});
  const {O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW} = constants;
  await using file = await open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, isPersonal ? 0o600 : 0o644);
  await file.writeFile(text);
}

function notAFile(path: string, cause?: unknown): FettleError {
  return new FettleError({
    code: 'DENIED',
    message: `${path} is a link, or not a regular file.`,
    hint: 'Write the line into the file by hand.',
    cause,
  });
}
