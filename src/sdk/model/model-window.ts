import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {isJsonObject, parseJson} from '../../base/json.ts';
import {modelInfo} from '../../models/catalog.ts';
import type {FoundWindow, LocalServer} from '../../models/local-window.ts';
import type {ProviderSettings} from '../../models/provider-settings.ts';
import type {ModelWindow, SessionSettings} from '../settings/session-settings.ts';

/** The longest time that a first request waits for a local server to report its window. */
const TIMEOUT_MS = 1000;

type Asked = Pick<SessionSettings, 'settings' | 'providerSettings' | 'paths' | 'window'>;

/**
 * Returns the window of a model of the session: the configured one, or another one for subagents or summaries.
 * For another model, `context.window_tokens` counts only if no other source knows the window.
 */
export async function windowOf(model: string, session: Asked): Promise<ModelWindow> {
  const {settings, window} = session;
  if (window?.model === model) return window;
  if (settings.model === model) return await modelWindow(session);
  const {window_tokens: configured, ...context} = settings.context;
  const known = await modelWindow({...session, settings: {...settings, model, context}});
  return known.source === 'guess' && configured !== undefined ? {model, tokens: configured, source: 'settings'} : known;
}

/**
 * Returns the window of the configured model: from the settings, the local server, an earlier answer or refusal
 * of it, or the catalogue, else a guess. Only local servers are asked, for a second at most; their answers are
 * stored in the state folder.
 */
export async function modelWindow({settings, providerSettings, paths}: Asked): Promise<ModelWindow> {
  const {model = '', context} = settings;
  if (context.window_tokens !== undefined) return {model, tokens: context.window_tokens, source: 'settings'};
  const {contextWindow, isKnown} = modelInfo(model);
  if (isKnown) return {model, tokens: contextWindow, source: 'catalogue'};
  const {localServerOf} = await import('../../models/open-provider.ts');
  const server = await localServerOf(model, providerSettings);
  const {found, isSilent} = server === undefined ? NOT_ASKED : await askedWindow(server);
  const known = rememberedWindow(paths.stateDir, windowKey(model, providerSettings));
  if (found !== undefined && !(found.isAssumed && known !== undefined)) {
    if (!found.isAssumed && found.tokens !== known) rememberWindow(paths.stateDir, windowKey(model, providerSettings), found.tokens);
    return {model, tokens: found.tokens, source: 'server', from: found.from, isAssumed: found.isAssumed};
  }
  if (known !== undefined) return {model, tokens: known, source: 'remembered'};
  return {model, tokens: contextWindow, source: 'guess', isSilent};
}

interface Answer {
  readonly found?: FoundWindow | undefined;
  readonly isSilent?: boolean | undefined;
}

const NOT_ASKED: Answer = {};

async function askedWindow(server: LocalServer): Promise<Answer> {
  const {askWindow} = await import('../../models/local-window.ts');
  const deadline = AbortSignal.timeout(TIMEOUT_MS);
  const found = await askWindow(server, deadline);
  return found === undefined && deadline.aborted ? {isSilent: true} : {found};
}

/** The same name may mean another server tomorrow. */
export function windowKey(model: string, {env, providers, baseUrls}: ProviderSettings): string {
  const [name = ''] = model.split('/', 1);
  const custom = providers.find((provider) => provider.name === name)?.base_url;
  return `${model} ${custom ?? baseUrls[name] ?? env[`${name.toUpperCase()}_BASE_URL`] ?? ''}`.trim();
}

/** Describes the source of a window size, for people. */
export function windowSummary({tokens, source, from, isAssumed}: ModelWindow): string {
  const size = `${tokens.toLocaleString('en')} tokens`;
  if (isAssumed === true) return `${size} (${from}; set OLLAMA_CONTEXT_LENGTH where the server starts, or context.window_tokens)`;
  const WORDS = {
    settings: 'context.window_tokens',
    server: `said by the server: ${from}`,
    refusal: 'said by the server as it refused the request',
    remembered: 'as the server said earlier',
    catalogue: 'the catalogue',
    guess: 'a guess; set context.window_tokens',
  } as const;
  return `${size} (${WORDS[source]})`;
}

/** Stores the window of a model for later runs. If the disk refuses, the next run asks again. */
export function rememberWindow(stateDir: string, model: string, tokens: number): void {
  const file = windowsFile(stateDir);
  const draft = `${file}.${process.pid}.new`;
  try {
    mkdirSync(stateDir, {recursive: true, mode: 0o700});
    writeFileSync(draft, `${JSON.stringify({...windowsIn(file), [model]: tokens}, null, 2)}\n`, {mode: 0o600});
    renameSync(draft, file);
  } catch {
    return;
  }
}

function rememberedWindow(stateDir: string, model: string): number | undefined {
  const tokens = windowsIn(windowsFile(stateDir))[model];
  return typeof tokens === 'number' && tokens > 0 ? tokens : undefined;
}

function windowsFile(stateDir: string): string {
  return join(stateDir, 'windows.json');
}

function windowsIn(file: string): Readonly<Record<string, unknown>> {
  try {
    const json = parseJson(readFileSync(file, 'utf8'));
    return isJsonObject(json) ? json : {};
  } catch {
    return {};
  }
}
