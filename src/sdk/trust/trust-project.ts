import {lstat, realpath} from 'node:fs/promises';
import {join} from 'node:path';
import {DEFAULTS} from '../../config/defaults.ts';
import {INSTRUCTION_NAMES} from '../../config/trust/instruction-text.ts';
import {secretRead} from '../../policy/places/protected-paths.ts';
import {fettlePaths, type FettlePaths} from '../../config/paths.ts';
import {systemErrorCode} from '../../base/errors.ts';
import {evaluateProject, type ProjectTrust, type TrustedFile} from '../../config/trust/evaluate-project.ts';
import {projectRoot} from '../../config/trust/project-root.ts';
import {NOTHING, type ProjectContent} from '../../config/trust/trust-item.ts';

export interface ProjectRequest {
  /** Absolute, a real path. */
  readonly cwd: string;
  readonly home: string;
  readonly paths: FettlePaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The setting `context.instruction_files`; absent: its default. */
  readonly instructionFiles?: readonly string[] | undefined;
  /** True: includes the instructions of all folders, as needed before a person is asked. */
  readonly deep?: boolean | undefined;
}

/** Reads the project of a folder and compares it with the trusted content. Runs nothing, and reads each file once. */
export async function readProject(request: ProjectRequest): Promise<ProjectTrust> {
  const {cwd, paths, instructionFiles, deep} = request;
  const home = await realpath(request.home).catch(() => request.home);
  const {root, canBeTrusted} = await projectRoot(cwd, home);
  if (!canBeTrusted) return {root, folder: '', state: 'refused', changed: [], ...NOTHING};
  if (deep !== true && !(await hasAnything(root, cwd, instructionFiles)))
    return {root, folder: '', state: 'empty', changed: [], ...NOTHING};
  const own = await Promise.all(
    [paths.configDir, paths.stateDir, paths.cacheDir].map(async (path) => await realpath(path).catch(() => path)),
  );
  const [{collectItems}, {gitItems}] = await Promise.all([import('../../config/trust/collect-items.ts'), import('./trust-git.ts')]);
  const [collected, git] = await Promise.all([
    collectItems({root, cwd, own, instructionFiles, mayImport, deep}),
    gitItems({root, env: request.env, home}),
  ]);
  return await judged({root, items: [...collected.items, ...git], problems: collected.problems}, paths);
}

/** The same with the instructions of all folders, before a person is asked. The person's settings name the files. */
export async function readWholeProject({cwd, home, env}: Omit<ProjectRequest, 'paths'>): Promise<ProjectTrust> {
  const {loadConfig} = await import('../../config/load.ts');
  // Invalid settings are reported where they are used.
  const settings = await loadConfig({env, home, cwd}).catch(() => undefined);
  const instructionFiles = settings?.settings.context.instruction_files;
  const project = await readProject({cwd, home, env, paths: fettlePaths({env, home}), instructionFiles, deep: true});
  return {...project, gone: await goneFrom(project)};
}

/** Returns the trusted files that no longer exist. A file that still exists but is no longer used does not count. */
async function goneFrom({root, further = []}: ProjectTrust): Promise<readonly TrustedFile[]> {
  const missing = await Promise.all(
    further.map(({path}) =>
      lstat(join(root, path)).then(
        () => false,
        (thrown: unknown) => ['ENOENT', 'ENOTDIR'].includes(systemErrorCode(thrown) ?? ''),
      ),
    ),
  );
  return further.filter((_, index) => missing[index]);
}

async function judged(content: ProjectContent & {root: string}, {stateDir}: FettlePaths): Promise<ProjectTrust> {
  const {folderIdentity, readTrust} = await import('../../config/trust/trust-store.ts');
  const [folder = '', record] = await Promise.all([folderIdentity(content.root), readTrust(stateDir, content.root)]);
  return evaluateProject({...content, folder}, record);
}

/** Most folders have nothing that needs trust; nothing more is loaded for them. */
async function hasAnything(root: string, cwd: string, instructionFiles = DEFAULTS.context.instruction_files): Promise<boolean> {
  if (root !== cwd) return true;
  const signs = [...SIGNS, ...INSTRUCTION_NAMES, ...instructionFiles];
  const found = await Promise.all(signs.map((name) => lstat(join(root, name)).catch(() => undefined)));
  return found.some((entry) => entry !== undefined);
}

const SIGNS = ['.git', '.fettle', '.agents', '.mcp.json'];

/** Secrets must not be imported: they would end up in the record of trusted content, and go to a model. */
function mayImport(path: string): boolean {
  return secretRead(path) === undefined && !/(?:^|\/)\.git(?:\/|$)/.test(path);
}

/** Stores that a person trusts exactly this content. The files as they are now do not matter: they are compared when used. */
export async function storeTrust(project: ProjectTrust, {stateDir}: FettlePaths): Promise<void> {
  const {writeTrust} = await import('../../config/trust/trust-store.ts');
  await writeTrust(stateDir, project);
}
