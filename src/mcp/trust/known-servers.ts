import {hash} from 'node:crypto';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {parseJson} from '../../base/json.ts';
import type {Fingerprint} from './fingerprint.ts';
import {readPrivateFile, writePrivateFile} from '../../config/private-file.ts';
import {inTurn} from '../../sessions/process-lock.ts';

const FINGERPRINT = z.object({
  kind: z.enum(['definition', 'tool', 'instructions']),
  name: z.string(),
  digest: z.string(),
  shown: z.string(),
});
const KNOWN = z.object({
  /** The folder that was worked in when it was accepted. */
  folder: z.string(),
  definition: FINGERPRINT,
  parts: z.array(FINGERPRINT),
});
const STORED = z.object({name: z.string(), known: z.array(KNOWN)});

/** One accepted definition of a server, with its accepted tools and instructions. */
export type KnownServer = z.infer<typeof KNOWN>;

/** The accepted state of the servers of one name. */
export interface KnownServers {
  /** Newest last. Empty: there was never one of that name. 'unreadable': something is there, and says nothing. */
  read(): Promise<readonly KnownServer[] | 'unreadable'>;
  /**
   * Replaces the record of the same definition, and the one accepted in the same folder before: an earlier approval no longer counts. Parts
   * that are not passed stay as they were.
   */
  accept(accepted: KnownServer): Promise<void>;
}

/** Projects may have servers of the same name; beyond these the oldest is forgotten. */
const MAX_KNOWN = 20;
const MAX_PARTS = 500;

/** One file for each name of a server below the state folder, mode 0600. */
export function knownServers(stateDir: string, name: string): KnownServers {
  const file = join(stateDir, 'mcp-known', `${hash('sha256', name)}.json`);
  const read = async (): Promise<readonly KnownServer[] | 'unreadable'> => {
    const text = await readPrivateFile(file);
    if (text === undefined) return [];
    const found = STORED.safeParse(parseJson(text));
    return found.success && found.data.name === name ? found.data.known : 'unreadable';
  };
  return {
    read,
    accept: async (accepted) =>
      await inTurn(`${file}.lock`, async () => {
        const before = await read();
        const known = before === 'unreadable' ? [] : before;
        await writePrivateFile(file, `${JSON.stringify({name, known: withAccepted(known, accepted)})}\n`);
      }),
  };
}

function withAccepted(known: readonly KnownServer[], accepted: KnownServer): KnownServer[] {
  const same = known.find(({definition}) => definition.digest === accepted.definition.digest);
  const others = known.filter((one) => one !== same && one.folder !== accepted.folder);
  const kept = (same?.parts ?? []).filter((part) => !accepted.parts.some((now) => isSamePart(now, part)));
  const parts = [...kept, ...accepted.parts].slice(-MAX_PARTS);
  return [...others, {...accepted, parts}].slice(-MAX_KNOWN);
}

export function isSamePart(a: Fingerprint, b: Fingerprint): boolean {
  return a.kind === b.kind && a.name === b.name;
}
