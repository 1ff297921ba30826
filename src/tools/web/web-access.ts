import type {SearchService} from './search-service.ts';

/** The web access of a session: its configuration, and how names are resolved. */
export interface WebAccess {
  /** Identifies Fettle honestly. */
  readonly userAgent: string;
  /** Exact names of hosts that a person allowed to resolve to addresses of this machine or its networks. */
  readonly privateHosts: readonly string[];
  /** Values that must not leave in an address or a query. */
  readonly secrets: readonly string[];
  /** Resolves every address of a host name. Rejects with the error of the system if there is none. */
  lookup(host: string): Promise<readonly HostAddress[]>;
  /** undefined: no search engine was configured. */
  readonly search?: SearchService | undefined;
}

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}
