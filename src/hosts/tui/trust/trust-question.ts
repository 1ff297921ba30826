/** Asks whether the content of a project may be loaded. Its texts are safe to show: invisible characters are escaped. */
export interface TrustQuestion {
  readonly folder: string;
  /** True if the project was trusted before, so that only the differences are listed. */
  readonly isChange: boolean;
  readonly entries: readonly TrustItem[];
  /** Content that is never loaded, with the reason; one line each. */
  readonly problems: readonly string[];
}

export interface TrustItem {
  readonly path: string;
  readonly change?: 'new' | 'changed' | 'gone' | undefined;
  /** Effects of the item, one line each. */
  readonly does: readonly string[];
  /** The trusted text, if it is known. */
  readonly before?: string | undefined;
  /** The current text; absent if it no longer exists. */
  readonly after?: string | undefined;
}

/** `session`: until the session ends; `ignore`: nothing of it is loaded. Who leaves does not answer. */
export type TrustReply = 'trust' | 'session' | 'ignore';
