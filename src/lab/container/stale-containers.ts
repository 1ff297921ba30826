import {isJsonObject, parseJson} from '../../base/json.ts';
import {lifeOf, type ProcessIdentity} from '../../exec/process/process-identity.ts';
import type {ContainerEngine} from './engine.ts';
import {removeArguments} from './engine-arguments.ts';
import {runEngine} from './run-engine.ts';

/** Labels by which containers of killed processes are found. */
export interface OwnerLabels {
  /** The same for all runs of one user. */
  readonly lab: string;
  readonly run: string;
  readonly owner: ProcessIdentity;
}

export function labelsOf({lab, run, owner}: OwnerLabels): Readonly<Record<string, string>> {
  return {[LAB]: lab, 'fettle.run': run, [OWNER]: JSON.stringify(owner)};
}

const LAB = 'fettle.lab';
const OWNER = 'fettle.owner';

/** Removes the containers of this lab whose process is dead, whatever run they belong to. Returns how many there were. */
export async function removeStale(engine: ContainerEngine, lab: string, signal: AbortSignal): Promise<number> {
  const list = ['ps', '--all', '--quiet', '--no-trunc', '--filter', `label=${LAB}=${lab}`];
  const ids = words((await runEngine(engine, {args: list, timeoutMs: TIMEOUT_MS}, signal)).stdout);
  if (ids.length === 0) return 0;
  const format = `{{.Id}} {{index .Config.Labels "${OWNER}"}}`;
  // One may have ended in the meantime.
  const inspect = {args: ['container', 'inspect', '--format', format, ...ids], timeoutMs: TIMEOUT_MS, accepts: 'all'} as const;
  const {stdout} = await runEngine(engine, inspect, signal);
  const stale = stdout.split('\n').flatMap((line) => {
    const [, id, owner] = /^(\S+) (.*)$/.exec(line) ?? [];
    return id !== undefined && isDead(owner ?? '') ? [id] : [];
  });
  if (stale.length > 0) await runEngine(engine, {args: removeArguments(engine.program, stale), timeoutMs: TIMEOUT_MS}, signal);
  return stale.length;
}

const TIMEOUT_MS = 60_000;

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function isDead(text: string): boolean {
  const owner: unknown = parseJson(text);
  return isIdentity(owner) && lifeOf(owner) === 'dead';
}

function isIdentity(value: unknown): value is ProcessIdentity {
  if (!isJsonObject(value)) return false;
  return typeof value['pid'] === 'number' && ['start', 'boot', 'space'].every((name) => typeof value[name] === 'string');
}
