import {FettleError, toFettleError} from '../../../../base/errors.ts';
import type {JsonObject} from '../../../../base/json.ts';
import {openIsolation} from '../../../../exec/sandbox/open-isolation.ts';
import type {Isolation} from '../../../../exec/sandbox/isolation.ts';
import {openArtifacts} from '../../../../lab/artifacts/open-artifacts.ts';
import {fillCompileCache} from '../../../../lab/rollout/agent/fill-compile-cache.ts';
import type {AgentCommand} from '../../../../lab/rollout/rollout-request.ts';
import {artifactsIn} from '../../../../lab/artifacts/rollout-artifacts.ts';
import type {RolloutRunner} from '../../../../lab/run/coordinate-run.ts';
import type {Suite} from '../../../../lab/suite/task.ts';
import {authOf, entryOf} from '../../../../models/provider-entry.ts';
import type {SessionSettings} from '../../../../sdk/settings/session-settings.ts';
import {VERSION} from '../../../../sdk/version.ts';
import type {Io} from '../../io.ts';
import type {LabFolders} from './lab-place.ts';

interface Opening {
  readonly io: Io;
  readonly settings: SessionSettings;
  readonly folders: LabFolders;
  readonly flags: {readonly isolation: boolean};
}

export interface RunnerParts {
  readonly models: readonly string[];
  /** Place of the artefacts. */
  readonly store: string;
  readonly suite: Suite;
}

/** Opens everything with which this machine carries out rollouts. Whoever opened it closes its isolation. */
export async function openRunner(
  {io, settings, folders, flags}: Opening,
  {models, store, suite}: RunnerParts,
  signal: AbortSignal,
): Promise<RolloutRunner> {
  const {configDir, stateDir, cacheDir} = settings.paths;
  const agent = agentCommand(io, settings, models);
  await fillCompileCache(agent, {scratch: folders.scratch, compileCache: folders.compiled}, signal);
  return {
    tasks: new Map(suite.tasks.map((task) => [task.id, task])),
    folders: {
      scratch: folders.scratch,
      hidden: [suite.folder, folders.imports, configDir, stateDir, cacheDir],
      compileCache: folders.compiled,
    },
    agent,
    artifacts: artifactsIn(await openArtifacts(store, io.env)),
    isolation: await isolationFor(stateDir, flags),
  };
}

function agentCommand(io: Io, settings: SessionSettings, models: readonly string[]): AgentCommand {
  return {
    program: process.execPath,
    args: [...process.execArgv, process.argv[1] ?? ''],
    env: io.env,
    secrets: keysOf(models, settings),
    settings: agentSettings(settings),
    version: VERSION,
  };
}

async function isolationFor(stateDir: string, flags: Opening['flags']): Promise<Isolation | undefined> {
  if (!flags.isolation) return undefined;
  return await openIsolation(stateDir).catch((thrown: unknown) => {
    const {message, hint} = toFettleError(thrown);
    throw new FettleError({
      code: 'UNAVAILABLE',
      message: `Agents cannot be isolated here: ${message}`,
      hint: `${hint ?? ''} With --no-isolation they run all the same, and can read hidden tests and change your files.`.trim(),
      cause: thrown,
    });
  });
}

/** The variables with keys and addresses of the providers that the models need. */
function keysOf(models: readonly string[], {providerSettings}: SessionSettings): Readonly<Record<string, string>> {
  const entries = models.flatMap((model) => entryOf(model.split('/', 1)[0] ?? '', providerSettings) ?? []);
  const names = entries.flatMap(({keyVariable, baseUrlVariable}) => [keyVariable, baseUrlVariable]);
  for (const entry of entries) authOf(entry, providerSettings); // from now on the key is redacted in all output
  const found = names.flatMap((name) => {
    const value = name === undefined ? undefined : providerSettings.env[name];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(found);
}

/** The providers of the person. Nothing else of their settings reaches a rollout: scores would depend on it. */
function agentSettings({settings}: SessionSettings): JsonObject {
  const {providers, custom_providers: custom, provider_limits: limits} = settings;
  // oxlint-disable-next-line typescript/consistent-type-assertions -- settings are JSON, as they were read
  return JSON.parse(JSON.stringify({providers, custom_providers: custom, provider_limits: limits})) as JsonObject;
}
