import type {McpServer} from '../../config/settings.ts';
import {unifiedDiff} from '../../text/diff/unified-diff.ts';
import type {ServerPlace} from '../connection/server-place.ts';
import {fingerprintServer, type Fingerprint} from './fingerprint.ts';
import {isSamePart, knownServers, type KnownServer} from './known-servers.ts';
import {isLoopback} from '../oauth/is-loopback.ts';

/** A part of a server that differs from what a person has accepted. */
export interface ServerChange {
  readonly now: Fingerprint;
  /** `its definition`, `a new tool, echo`, `its tool echo`. From the server: for people only through `visibleText`. */
  readonly what: string;
  /** A unified diff, bounded. */
  readonly difference: string;
}

/** Compares a server with its accepted state (tool poisoning and later changes; MCPoison, CVE-2025-54136). */
export interface ServerReview {
  /** undefined: its definition is as accepted; or nothing was accepted under that name before, and the connection is encrypted or local. */
  readonly definition: ServerChange | undefined;
  /** Returns those that are new or different; none if the server was never used before: its first state is the accepted one. */
  changed(parts: readonly Fingerprint[]): Promise<readonly ServerChange[]>;
  /** Keeps the definition and these parts as accepted. */
  accept(parts: readonly Fingerprint[]): Promise<void>;
}

export async function reviewServer(server: McpServer, {stateDir, cwd}: Pick<ServerPlace, 'stateDir' | 'cwd'>): Promise<ServerReview> {
  const store = knownServers(stateDir, server.name);
  const definition = fingerprintServer(server);
  const found = await store.read();
  const before = found === 'unreadable' ? UNREADABLE : comparable(found, definition, cwd);
  return {
    definition: before === undefined ? openlySent(server, definition) : await redefined(definition, before),
    async changed(parts) {
      if (before === undefined) return [];
      const compared = parts.map((now) => ({now, known: before.parts.find((part) => isSamePart(part, now))}));
      const different = compared.filter(({now, known}) => now.digest !== known?.digest);
      return await Promise.all(different.map(({now, known}) => change(now, known)));
    },
    async accept(parts) {
      if (before === undefined || !hasAll(before, [definition, ...parts])) await store.accept({folder: cwd, definition, parts: [...parts]});
    },
  };
}

async function redefined(definition: Fingerprint, before: KnownServer): Promise<ServerChange | undefined> {
  return before.definition.digest === definition.digest ? undefined : await change(definition, before.definition);
}

/** Plain http to another machine lets anybody on the way read calls and change tools: a person has to agree. */
function openlySent({url}: McpServer, definition: Fingerprint): ServerChange | undefined {
  const address = url === undefined ? null : URL.parse(url);
  if (address === null || address.protocol !== 'http:' || isLoopback(address.hostname)) return undefined;
  return {now: definition, what: 'its address, which is not encrypted', difference: definition.shown};
}

function hasAll(known: KnownServer, wanted: readonly Fingerprint[]): boolean {
  const digests = new Set([known.definition, ...known.parts].map(({kind, name, digest}) => JSON.stringify([kind, name, digest])));
  return wanted.every(({kind, name, digest}) => digests.has(JSON.stringify([kind, name, digest])));
}

/** Stands in for a record that cannot be read: nothing of the server counts as accepted. */
const UNREADABLE: KnownServer = {folder: '', definition: {kind: 'definition', name: '', digest: '', shown: ''}, parts: []};

/** The record of the same definition, else of this folder, else the newest. */
function comparable(known: readonly KnownServer[], {digest}: Fingerprint, folder: string): KnownServer | undefined {
  return known.find(({definition}) => definition.digest === digest) ?? known.findLast((one) => one.folder === folder) ?? known.at(-1);
}

async function change(now: Fingerprint, then: Fingerprint | undefined): Promise<ServerChange> {
  const diff = await unifiedDiff(ended(then?.shown ?? ''), ended(now.shown), LABEL[now.kind]);
  const details = diff === '' ? 'The difference is in a part that is hidden, or too long to show.' : shortened(diff);
  return {now, what: whatOf(now, then), difference: details};
}

function ended(text: string): string {
  return text === '' ? '' : `${text}\n`;
}

const LABEL = {definition: 'definition', tool: 'tool', instructions: 'instructions'} as const;

function whatOf({kind, name}: Fingerprint, then: Fingerprint | undefined): string {
  if (kind === 'definition') return 'its definition';
  if (kind === 'instructions') return then === undefined ? 'new instructions' : 'its instructions';
  const shown = name.slice(0, 128);
  return then === undefined ? `a new tool, ${shown}` : `its tool ${shown}`;
}

/** Lines of one difference that a person is shown. */
const MAX_LINES = 120;

/** Without the two lines that name files. */
function shortened(diff: string): string {
  const lines = diff.trimEnd().split('\n').slice(2);
  const more = lines.length - MAX_LINES;
  return more <= 0 ? lines.join('\n') : `${lines.slice(0, MAX_LINES).join('\n')}\n… ${more} more lines`;
}
