import {join, resolve} from 'node:path';
import {isJsonObject, type Json, type JsonObject} from '../../base/json.ts';
import type {Source} from '../origin.ts';
import {readMcpJson} from './mcp-json.ts';
import type {TrustItem} from './trust-item.ts';

export interface ProjectSources {
  readonly readings: readonly (Source | {readonly problem: string})[];
  /** Sources that are left out, one line each. */
  readonly problems: readonly string[];
}

interface Surroundings {
  /** Absolute; the servers of a project start there. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly parse: (file: {path: string; bytes: Uint8Array}) => Promise<Source | {readonly problem: string}>;
}

/** The settings of a trusted project: its `config.toml`, then the servers of its `.mcp.json`. From the bytes that were trusted. */
export async function readProjectSources(items: readonly TrustItem[], {root, env, parse}: Surroundings): Promise<ProjectSources> {
  const readings: (Source | {readonly problem: string})[] = [];
  const problems: string[] = [];
  for (const item of items) {
    const path = join(root, item.path);
    if (item.kind === 'config') {
      const reading = await parse({path, bytes: item.bytes});
      readings.push('problem' in reading ? reading : {...reading, value: startedAt(reading.value, root)});
    }
    if (item.kind === 'mcp') {
      const read = readMcpJson(item, env);
      problems.push(...read.problems.map((problem) => join(root, problem)));
      readings.push({value: startedAt({mcp_servers: read.servers}, root), originOf: () => ({source: 'project', name: path})});
    }
  }
  return {readings, problems};
}

/** A program of a project starts in its root, or in a folder that is named from there, wherever in it a person works. */
function startedAt(value: JsonObject, root: string): JsonObject {
  const servers = value['mcp_servers'];
  if (!Array.isArray(servers)) return value;
  return {...value, mcp_servers: servers.map((server: Json) => (isJsonObject(server) ? inRoot(server, root) : server))};
}

function inRoot(server: JsonObject, root: string): JsonObject {
  const {transport, cwd = '.'} = server;
  return transport === 'stdio' && typeof cwd === 'string' ? {...server, cwd: resolve(root, cwd)} : server;
}
