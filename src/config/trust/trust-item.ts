/** The effect of an item of a project once it is trusted. */
export type TrustKind =
  | 'config'
  | 'mcp'
  | 'tool'
  | 'middleware'
  | 'hook'
  | 'skill'
  | 'agent'
  | 'command'
  | 'program'
  | 'git'
  | 'instructions'
  | 'rule'
  // A text that instructions or rules import.
  | 'import';

/** One thing that a project brings along and that Fettle would run or load. */
export interface TrustItem {
  /** Relative to the root of the project, with `/`; an item that is only a part of a file has its name in parentheses after the path. */
  readonly path: string;
  readonly kind: TrustKind;
  /** SHA-256 of the bytes, in hexadecimal. */
  readonly digest: string;
  /** The bytes that were digested: consumers use these and never read the file again. */
  readonly bytes: Uint8Array;
}

/** The present content of a project that trust is about. */
export interface ProjectContent {
  readonly items: readonly TrustItem[];
  /**
   * Content that can never be trusted as it is, such as links that leave the project and files that are too large; one line each. It is never
   * used.
   */
  readonly problems: readonly string[];
}

export const NOTHING: ProjectContent = {items: [], problems: []};

/** The text of an item; invalid UTF-8 is replaced. */
export function trustItemText({bytes}: TrustItem): string {
  return new TextDecoder().decode(bytes);
}

/** True for a file that may hold a tool; a name that begins with `_` or `.` marks a part of other files, as in any folder of tools. */
export function isToolFile(path: string): boolean {
  return TOOL_FILE.test(path) && !path.endsWith('.d.ts');
}

/** The same for middleware. */
export function isMiddlewareFile(path: string): boolean {
  return MIDDLEWARE_FILE.test(path) && !path.endsWith('.d.ts');
}

const MIDDLEWARE_FILE = /^\.fettle\/middleware\/(?:(?!node_modules\/)[^._/][^/]*\/)*[^._/][^/]*\.(?:ts|js|mjs)$/;
const TOOL_FILE = /^\.fettle\/tools\/(?:(?!node_modules\/)[^._/][^/]*\/)*[^._/][^/]*\.(?:ts|js|mjs)$/;
