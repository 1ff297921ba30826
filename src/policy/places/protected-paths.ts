import {fitsPattern} from '../pattern.ts';
import {pathSegments, shortForm, shortFormOf} from './path-segments.ts';
import {GIT_HOOKS, AUTOLOADED_ENDINGS, AUTOLOADED_FILES, AUTOLOADED_FOLDERS} from './protected-names.ts';
import {isSecretName, SECRET_FOLDERS, secretNames} from './secret-names.ts';

/**
 * Returns why a write to this path needs approval in every mode: a program runs or loads the file later
 * (CVE-2025-53773, -54135, -59944, 2026-25725). Undefined for ordinary files. Whether it exists does not count.
 * Names are compared as a careless file system would.
 */
export function protectedWrite(path: string): string | undefined {
  const segments = pathSegments(path);
  const folder = segments.find((segment) => isAmong(segment, AUTOLOADED_FOLDERS));
  if (folder !== undefined) return `${folder} is loaded by another program`;
  const name = segments.at(-1) ?? '';
  if (isAmong(name, AUTOLOADED_FILES) || AUTOLOADED_ENDINGS.some((ending) => name.endsWith(ending)))
    return `${name} is loaded by another program`;
  if (segments.at(-2) === 'hooks' && GIT_HOOKS.has(name)) return `git may run hooks/${name}`;
  return protectedPlace(segments.join('/'));
}

/** Returns why a read of this path needs approval in every mode but full-auto: a key, a password, another process. */
export function secretRead(path: string): string | undefined {
  const segments = pathSegments(path);
  const folder = segments.find((segment) => isAmong(segment, SECRET_FOLDERS));
  if (folder !== undefined) return `${folder} holds keys`;
  const name = segments.at(-1) ?? '';
  if (isSecretName(name) || isShortSecret(name)) return `${name} holds secrets`;
  return secretPlace(segments.join('/'));
}

/**
 * The same for a path with glob characters of a shell: a reason if it aims at secrets (`.e*`, `*.pem`, `cred*`). A star alone, or after the
 * beginning of ordinary names, does not.
 */
export function secretGlob(path: string): string | undefined {
  const segments = pathSegments(path);
  const folder = segments.find((segment) => [...SECRET_FOLDERS].some((known) => aimsAt(segment, known)));
  if (folder !== undefined) return `${folder} may be a folder that holds keys`;
  const name = segments.at(-1) ?? '';
  const secret = secretNames().find((known) => aimsAt(name, known));
  return secret === undefined ? secretRead(path) : `${name} may be ${secret}, which holds secrets`;
}

/** True for system folders with programs and their texts: reading there reveals nothing about anybody. */
export function isPublicFolder(path: string): boolean {
  return /^\/(?:usr|bin|sbin|lib\w*|opt|nix\/store)(?:\/|$)|^\/dev\/null$/.test(path) && !path.includes('/../');
}

function isAmong(segment: string, names: ReadonlySet<string>): boolean {
  if (names.has(segment)) return true;
  const short = shortForm(segment);
  return short !== undefined && (HASHED.has(short) || shortForms(names).has(short));
}

/** Returns the short forms of a table of names: computed once. */
function shortForms(names: ReadonlySet<string>): ReadonlySet<string> {
  const known = formsOf.get(names);
  if (known !== undefined) return known;
  const forms = new Set([...names].map(shortFormOf));
  formsOf.set(names, forms);
  return forms;
}

const formsOf = new WeakMap<ReadonlySet<string>, ReadonlySet<string>>();

/** Short names that git itself checks for, in case the first ones are taken: `.gitmodules`, `.gitattributes` (git, core.protectNTFS). */
const HASHED: ReadonlySet<string> = new Set(['gi7eba', 'gi7d29']);

function isShortSecret(name: string): boolean {
  const short = shortForm(name);
  return short !== undefined && secretNames().some((known) => shortFormOf(known) === short);
}

function protectedPlace(path: string): string | undefined {
  if (CI.test(path)) return 'the CI runs it with its secrets, or agents load it';
  if (/(?:^|\/)(?:node_modules\/\.bin|\.?v?env\/(?:bin|scripts))\/[^/]+$/.test(path)) return 'it is a program that is run by its name';
  if (/^\/dev\/(?:null|stdout|stderr)$/.test(path)) return undefined;
  if (SYSTEM.test(path)) return 'it belongs to the system';
  if (/^(?:~[^/]*|(?:\/private)?\/(?:home|users)\/[^/]+|(?:\/var)?\/root)\/(?:\.(?!cache\/)|library(?:\/|$))/.test(path))
    return 'it steers the programs of this person';
  return undefined;
}

export const CI = /(?:^|\/)\.(?:github|forgejo|gitea)\/(?:workflows|actions|instructions|prompts|chatmodes|agents|hooks)(?:\/|$)/;

export const SYSTEM =
  /^(?:\/private)?\/(?:etc|usr|bin|sbin|boot|lib\w*|opt|proc|sys|dev|run|system|applications|library|root\/\.\w+|var\/(?:spool|run|lib|at|cron))(?:\/|$)/;

function secretPlace(path: string): string | undefined {
  if (/^\/(?:proc|sys|dev)(?:\/|$)/.test(path) && !/^\/dev\/(?:null|stdout|stderr)$/.test(path))
    return 'it is not a file but a part of the running system';
  if (/^(?:\/private)?\/etc\/(?:g?shadow-?|sudoers|master\.passwd|ssl\/private|ssh)/.test(path)) return 'it is a secret of the system';
  return KEY_STORES.test(path) ? 'it holds keys' : undefined;
}

const KEY_STORES =
  /\/\.config\/(?:gh|gcloud|rclone|op|hub|doctl|git\/credentials|google-chrome|chromium|fettle\/auth)(?:\/|$)|\/\.(?:docker|cargo|gem|m2|npm)\/(?:config\.json|credentials|settings\.xml)|\/\.local\/share\/keyrings\/|\/library\/keychains\/|\/\.mozilla\/|^(?:~[^/]*|\/(?:home|users)\/[^/]+|\/root)\/\.npmrc$/;

/**
 * Returns true if a glob was written with this name in mind: it fits, and shares with it the dot in front, three letters, or a distinctive
 * ending.
 */
function aimsAt(glob: string, name: string): boolean {
  if (!/[*?[]/.test(glob)) return false;
  const pattern = glob.replaceAll(/\?|\[[^\]]*\]/g, '*');
  // The shell does not let a star match a leading dot.
  if (name.startsWith('.') !== glob.startsWith('.') || !fitsPattern(pattern, name)) return false;
  const dot = pattern.lastIndexOf('.');
  const stem = (dot > 0 ? pattern.slice(0, dot) : pattern).replaceAll(/[*.]/g, '');
  return name.startsWith('.') || stem.length >= 3 || isSecretName(`x${pattern.slice(dot)}`);
}
