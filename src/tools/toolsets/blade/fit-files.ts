import {headOf} from '../../output/truncate-bytes.ts';

/** A file as `read_many_files` shows it. */
export interface ShownFile {
  readonly path: string;
  readonly truncated: boolean;
  readonly content: string;
  readonly line_count: number;
  readonly byte_count: number;
  readonly original_byte_count: number;
}

type Entry = ShownFile | {readonly path: string; readonly error: string};

/**
 * Returns the files with contents that together fit into `maxBytes` of JSON. Small files stay whole and leave their share to the larger
 * ones; of these the first lines are kept, and counts and `truncated` describe the rest.
 */
export function fitFiles(files: readonly Entry[], maxBytes: number, lineNumbers: boolean): readonly Entry[] {
  const sizes = files.map((file) => ('error' in file ? 0 : jsonBytes(file.content)));
  const rest = jsonBytes(files.map((file) => ('error' in file ? file : {...file, content: ''})));
  const cap = fairShare(sizes, Math.max(0, maxBytes - rest));
  return files.map((file, index) => ('error' in file || (sizes[index] ?? 0) <= cap ? file : shortened(file, cap, lineNumbers)));
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Returns the largest share per file with which all fit. */
function fairShare(sizes: readonly number[], room: number): number {
  let left = room;
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (size > share) return share;
    left -= size;
  }
  return Infinity;
}

function shortened(file: ShownFile, cap: number, lineNumbers: boolean): ShownFile {
  const content = jsonHead(file.content, cap).replace(/\n$/, '');
  const lines = content === '' ? [] : content.split('\n');
  const plain = lineNumbers ? lines.map((line) => line.replace(/^\d+: ?/, '')) : lines;
  return {...file, truncated: true, content, line_count: lines.length, byte_count: Buffer.byteLength(plain.join('\n'))};
}

/** Returns the beginning of a text that takes at most `cap` bytes as JSON, including escapes. */
function jsonHead(text: string, cap: number): string {
  let head = headOf(text, cap);
  for (let bytes = jsonBytes(head); bytes > cap && head !== ''; bytes = jsonBytes(head)) {
    const budget = Math.floor((Buffer.byteLength(head) * cap) / bytes) - 1;
    head = headOf(head, Math.max(0, budget));
  }
  return head;
}
