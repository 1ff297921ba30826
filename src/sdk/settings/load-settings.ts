import {realpath} from 'node:fs/promises';
import {homedir} from 'node:os';
import {resolve} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import {type CheckTools, loadConfig} from '../../config/load.ts';
import {DEFAULTS} from '../../config/defaults.ts';
import type {Flags} from '../../config/overrides.ts';
import type {TypedOptions} from '../../config/typed-options.ts';
import {fettlePaths} from '../../config/paths.ts';
import type {Settings} from '../../config/settings.ts';
import {asTrusted, type ProjectTrust} from '../../config/trust/evaluate-project.ts';
import type {ProviderSettings} from '../../models/provider-settings.ts';
import type {ToolFolders} from './check-tool-names.ts';
import {withHome} from './own-files.ts';
import {readProject} from '../trust/trust-project.ts';
import type {SessionSettings} from './session-settings.ts';

/** The working folder, and settings that override those of files and variables. */
export interface SettingsRequest extends TypedOptions {
  readonly cwd: string;
  /** Environment variables. Absent: those of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The home folder of the user, absolute. Absent: that of the process. */
  readonly home?: string | undefined;
  /** Names of tools that are handed in to the thread, so that rules can name them. */
  readonly toolNames?: readonly string[] | undefined;
  /** Settings as a command line has them. */
  readonly flags?: Flags | undefined;
  /**
   * `here`: the caller vouches for the current content of the project. A project that was read before: a person
   * trusted it for this session, and the bytes that they were shown are used. Absent: the stored answer decides.
   */
  readonly trust?: 'here' | ProjectTrust | undefined;
  /** True: mistakes in settings are returned as `problems`, and those settings are left out. */
  readonly lenient?: boolean | undefined;
}

/** Reads the configuration for a folder, and the content of its project that needs trust. Throws CONFIG with every problem of every source. */
export async function loadSettings(request: SettingsRequest): Promise<SessionSettings> {
  const first = await loadWith(request, undefined);
  const {instruction_files: names} = first.settings.context;
  // Only the person's own settings say which files of a project are instructions, and they are known now.
  const isUsual = names.join('/') === DEFAULTS.context.instruction_files.join('/');
  return isUsual || typeof request.trust === 'object' ? first : await loadWith(request, names);
}

async function loadWith(
  {cwd, env = process.env, home = homedir(), flags, trust: requestedTrust, lenient, toolNames, ...options}: SettingsRequest,
  instructionFiles: readonly string[] | undefined,
): Promise<SessionSettings> {
  // The real path: sessions are found again by their folder, by whatever path it was given. A missing folder is reported when it is opened.
  const absolute = await realpath(cwd).catch(() => resolve(cwd));
  const paths = fettlePaths({env, home});
  const found =
    typeof requestedTrust === 'object'
      ? requestedTrust
      : await readProject({cwd: absolute, home, paths, env, instructionFiles, deep: requestedTrust === 'here'});
  const trust = requestedTrust === undefined ? found : asTrusted(found);
  const trusted = trust.state === 'trusted';
  const project = trusted ? trust.items.filter(({kind}) => kind === 'config' || kind === 'mcp') : [];
  const checkTools: CheckTools = async (mentions, toolPaths) => {
    if (mentions.length === 0) return {problems: [], warnings: []};
    const {checkToolNames} = await import('./check-tool-names.ts');
    return await checkToolNames(mentions, toolFolders({paths, home, trust, toolNames}, toolPaths));
  };
  const config = await loadConfig({env, home, cwd: trust.root, flags, options, project, checkTools, lenient});
  const notice = await noticeOf(trust);
  return {
    ...config,
    notices: [...config.notices, ...(notice === undefined ? [] : [notice])],
    cwd: absolute,
    env,
    home,
    toolNames,
    paths,
    providerSettings: providerSettingsOf(config.settings, env),
    trust,
    trusted,
  };
}

/** Returns the folders for tools of users, for the check of names in rules. */
export function toolFolders(
  {paths, home, trust, toolNames}: Pick<SessionSettings, 'paths' | 'home' | 'trust' | 'toolNames'>,
  toolPaths: readonly string[],
): ToolFolders {
  return {configDir: paths.configDir, toolPaths: toolPaths.map((path) => withHome(path, home)), trust, handedIn: toolNames};
}

/** Returns the same settings, with a model or `auto`. Throws CONFIG if none is configured. */
export function withModel<T extends {readonly settings: Settings}>(loaded: T): T {
  if (loaded.settings.model !== undefined) return loaded;
  throw new FettleError({
    code: 'CONFIG',
    message: 'No model is configured.',
    hint: 'Name one: --model ollama/qwen3-coder, FETTLE_MODEL, or `model = "…"` in the file that `fettle config path` shows. `fettle demo` needs none.',
  });
}

async function noticeOf(trust: ProjectTrust): Promise<string | undefined> {
  if (trust.state === 'empty' || trust.state === 'refused' || (trust.state === 'trusted' && trust.problems.length === 0)) return undefined;
  const {trustNotice} = await import('../../config/trust/trust-question.ts');
  return trustNotice(trust);
}

function providerSettingsOf(settings: Settings, env: SessionSettings['env']): ProviderSettings {
  const limits = settings.provider_limits;
  return {
    env,
    providers: settings.custom_providers,
    baseUrls: pick(settings.providers, 'base_url'),
    keyVariables: pick(settings.providers, 'api_key_env'),
    logprobs: settings.logprobs,
    temperature: settings.temperature,
    limits: {
      firstByteMs: limits.first_byte_s * 1000,
      betweenEventsMs: limits.between_events_s * 1000,
      stallNoticeMs: limits.stall_notice_s * 1000,
      retries: limits.retries,
    },
  };
}

function pick(providers: Settings['providers'], key: 'base_url' | 'api_key_env'): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(providers).flatMap(([name, provider]) => {
      const value = provider[key];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
