/** One root folder. Every path that a tool gets is resolved here, once. */
export interface Workspace {
  /** Absolute real path of the root. */
  readonly root: string;
  /**
   * Resolves a path from a model or person (relative to the root, or absolute) to a real path. Links are followed; for a missing
   * path the nearest existing parent decides. Throws OUTSIDE_SCOPE if `scope` is 'inside' and the real path is not below the root, BAD_ARGS for
   * NUL and the empty path.
   */
  resolve(path: string, options: ResolveOptions): Promise<ResolvedPath>;
}

export interface ResolveOptions {
  /** 'inside': must stay in the workspace · 'any': may leave it (the policy decides then). */
  readonly scope: 'inside' | 'any';
  /** For a write a dangling link at the end is refused: it would create its target. */
  readonly forWrite: boolean;
}

export interface ResolvedPath {
  /** The path before it was resolved. */
  readonly requested: string;
  /** Absolute and real: what is opened. */
  readonly path: string;
  /** Relative to the root with `/`; '' for the root itself, `../…` outside it. */
  readonly relative: string;
  readonly inside: boolean;
  readonly exists: boolean;
}
