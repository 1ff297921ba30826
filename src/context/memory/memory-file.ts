import {mkdtempSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import type {SessionMemoryEnvelope} from './envelope.ts';

/** Returns the memory file of a session: beside its log, and removed with it. */
export function memoryFile(sessionFile: string): string {
  return `${sessionFile}.memory.json`;
}

/** Writes the memory completely or not at all, readable by its owner alone. The log has the same content, so a failure loses nothing. */
export function saveMemory(sessionFile: string, memory: SessionMemoryEnvelope): void {
  const folder = mkdtempSync(join(dirname(sessionFile), '.memory-'));
  try {
    const draft = join(folder, 'memory.json');
    writeFileSync(draft, `${JSON.stringify(memory, null, 2)}\n`, {mode: 0o600});
    renameSync(draft, memoryFile(sessionFile));
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}
