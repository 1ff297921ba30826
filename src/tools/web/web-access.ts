import type {SearchService} from './search-service.ts';

/** The way to the web of a session: what a person configured, and how names become addresses. */
export interface WebAccess {
  /** Says honestly who asks. */
  readonly userAgent: string;
  /** Hosts that may have an address of this machine or its networks: by their exact names, as a person configured them. */
  readonly privateHosts: readonly string[];
  /** Values that must not leave in an address or a query. */
  readonly secrets: readonly string[];
  /** Every address of a host name. Rejects with the error of the system if there is none. */
  lookup(host: string): Promise<readonly HostAddress[]>;
  /** undefined: no search engine was configured. */
  readonly search?: SearchService | undefined;
}

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}
