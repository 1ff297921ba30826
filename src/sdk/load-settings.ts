import {realpath} from 'node:fs/promises';
import {resolve} from 'node:path';
import {FettleError} from '../base/errors.ts';
import {loadConfig, type LoadedConfig} from '../config/load.ts';
import type {Flags} from '../config/overrides.ts';
import {fettlePaths, type FettlePaths} from '../config/paths.ts';
import type {Settings} from '../config/settings.ts';
import type {ProviderSettings} from '../models/registry.ts';

/** Everything that is settled before a thread, or a tool on its own, begins. */
export interface SessionSettings extends LoadedConfig {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The home folder of the user, absolute. */
  readonly home: string;
  readonly paths: FettlePaths;
  readonly providerSettings: ProviderSettings;
}

export interface SettingsRequest {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly flags?: Flags;
}

/** Reads the configuration for a folder. Throws CONFIG with every problem of every source. */
export async function loadSettings({cwd, env, home, flags}: SettingsRequest): Promise<SessionSettings> {
  // The real path: sessions are found again by their folder, however it was named. A folder that is missing is reported when it is opened.
  const absolute = await realpath(cwd).catch(() => resolve(cwd));
  const config = await loadConfig({env, home, cwd: absolute, flags});
  return {...config, cwd: absolute, env, home, paths: fettlePaths({env, home}), providerSettings: providerSettingsOf(config.settings, env)};
}

/** The same with a model for certain: CONFIG where none is configured. */
export function withModel<T extends {readonly settings: Settings}>(loaded: T): T {
  if (loaded.settings.model !== undefined) return loaded;
  throw new FettleError({
    code: 'CONFIG',
    message: 'No model is configured.',
    hint: 'Name one: --model ollama/qwen3-coder, FETTLE_MODEL, or `model = "…"` in the file that `fettle config path` shows. `fettle demo` needs none.',
  });
}

function providerSettingsOf(settings: Settings, env: SettingsRequest['env']): ProviderSettings {
  const limits = settings.provider_limits;
  return {
    env,
    providers: settings.custom_providers,
    baseUrls: pick(settings.providers, 'base_url'),
    keyVariables: pick(settings.providers, 'api_key_env'),
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
