/** The resource limit for which a command was ended. */
export interface Overrun {
  readonly resource: 'memory' | 'disk';
  /** Bytes, when it was ended. */
  readonly used: number;
  /** Bytes. */
  readonly limit: number;
}

/** Names the exhausted resource, and the setting that allows more: `used 6.9 GB of memory, and 6.5 GB is the limit (limits.command_memory_mb)`. */
export function overrunText({resource, used, limit}: Overrun): string {
  const what = resource === 'memory' ? `used ${size(used)} of memory` : `took ${size(used)} of free disk space`;
  return `${what}, and ${size(limit)} is the limit (limits.command_${resource}_mb)`;
}

function size(bytes: number): string {
  return bytes < GIGABYTE ? `${Math.ceil(bytes / MEGABYTE)} MB` : `${(bytes / GIGABYTE).toFixed(1)} GB`;
}

const MEGABYTE = 1_000_000;
const GIGABYTE = 1_000_000_000;
