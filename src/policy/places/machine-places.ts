import {pathSegments} from './path-segments.ts';
import {AUTOLOADED_FOLDERS} from './protected-names.ts';
import {CI, protectedWrite, SYSTEM} from './protected-paths.ts';
import {wordList} from '../word-list.ts';

/** Protected places of this machine, besides the names that every machine has. Paths are absolute and real. */
export interface Machine {
  /** Home folders of the user, if they do not have a usual name. */
  readonly homes: readonly string[];
  /** Folders on PATH that do not belong to the workspace itself: programs there are run by name. */
  readonly programFolders: readonly string[];
}

/** A path, and the workspace that it is seen from; both absolute. */
export interface PlacedPath {
  readonly path: string;
  readonly root: string;
}

/**
 * Returns why a write to a path of the workspace is asked in every mode because of the place it has on the machine: a workspace that holds the
 * system, a home folder or a folder on PATH (`/`, `/home`, `$HOME`, `/etc`) stays protected. A project below such a place (`/usr/local/src/x`,
 * `/opt/x`, `~/.config/nvim`) is a project like others.
 */
export function machinePlace({path, root}: PlacedPath, machine: Machine | undefined): string | undefined {
  const [place, from] = [plainPath(path), plainPath(root)];
  if (/^\/dev\/(?:null|stdout|stderr)$/.test(place)) return undefined;
  if (isProgramFolder(place, machine)) return 'a program there is run by its name';
  if (ALWAYS.test(place) || (SYSTEM.test(place) && !PROJECTS.test(from))) return 'it belongs to the system';
  if (CI.test(place)) return 'the CI runs it with its secrets, or agents load it';
  if (isSetting(place, from, machine)) return 'it steers the programs of this person';
  return protectedRoot(from);
}

/** The same for a path outside the workspace. */
export function outerPlace(path: string, machine: Machine | undefined): string | undefined {
  const place = plainPath(path);
  if (isProgramFolder(place, machine)) return 'a program there is run by its name';
  return homeOf(place, machine) === undefined ? protectedWrite(path) : 'it steers the programs of this person';
}

/** True for entries directly in a folder on PATH: deeper ones are not run by name. */
function isProgramFolder(place: string, machine: Machine | undefined): boolean {
  const folder = place.slice(0, place.lastIndexOf('/'));
  return (machine?.programFolders ?? []).map(plainPath).some((known) => known === folder || known === place);
}

/** Not part of any project, however deep the workspace is. */
const ALWAYS =
  /^(?:\/private)?\/(?:etc|boot|bin|sbin|lib\w*|proc|sys|system|library|applications|usr\/(?:(?:local\/)?(?:bin|sbin|lib\w*|etc))|var\/(?:spool|at|cron)|dev\/(?!shm\/)|run\/(?!user\/|media\/))(?:\/|$)/;

/** Workspaces where people keep projects below what belongs to the system. */
const PROJECTS =
  /^(?:\/private)?\/(?:usr\/(?:local\/)?src|usr\/(?:local\/)?share|opt|var\/lib|dev\/shm|run\/user\/\d+|run\/media\/[^/]+\/[^/]+|root\/\.[^/]+)\/[^/]/;

/** A dot file of a home folder that the workspace holds, or one of those that stay settings when they are opened as a workspace. */
function isSetting(place: string, from: string, machine: Machine | undefined): boolean {
  const home = homeOf(place, machine);
  if (home === undefined) return false;
  const below = from.startsWith(`${home}/`) ? from.slice(home.length + 1) : '';
  return !/^(?:\.|library\/)/.test(below) || SETTINGS.test(below);
}

/** Folders of settings that are none of one program, and those that start programs, relative to the home folder. */
const SETTINGS =
  /^(?:\.config|\.local|\.local\/(?:share|bin|lib|state)|\.config\/(?:systemd|autostart|environment\.d|fish|git|fettle|plasma-workspace)(?:\/.*)?|\.local\/share\/(?:applications|systemd|dbus-1|autostart)(?:\/.*)?|library\/(?:launchagents|application support|preferences)(?:\/.*)?)$/;

/** The home folder among whose settings a path is; undefined: it is not a setting. */
function homeOf(place: string, machine: Machine | undefined): string | undefined {
  const usual = /^((?:\/private)?\/(?:home|users)\/[^/]+|(?:\/var)?\/root)\//.exec(place)?.[1];
  const homes = [...(usual === undefined ? [] : [usual]), ...(machine?.homes ?? []).map(plainPath)];
  return homes.find(
    (home) => home !== '' && place.startsWith(`${home}/`) && /^(?:\.(?!cache\/)|library\/)/.test(place.slice(home.length + 1)),
  );
}

/** A workspace that is itself loaded by another program: `~/.ssh`, `.git`, `.vscode`. */
function protectedRoot(from: string): string | undefined {
  const segments = from.split('/');
  const last = segments.at(-1) ?? '';
  const folder = AUTOLOADED_FOLDERS.has(last) ? last : segments.find((segment) => KEPT.has(segment));
  return folder === undefined ? undefined : `${folder} is loaded by another program`;
}

const KEPT: ReadonlySet<string> = new Set(wordList('.ssh .gnupg .aws .kube .password-store .git .hg .svn'));

function plainPath(path: string): string {
  return pathSegments(path)
    .join('/')
    .replace(/(?<=.)\/+$/, '')
    .replace(/^\/$/, '');
}
