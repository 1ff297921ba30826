/** A search engine as a person configured it. */
export interface SearchService {
  readonly provider: 'brave' | 'tavily' | 'searxng';
  /** Without the path of an endpoint; undefined: the provider's own. */
  readonly baseUrl: string | undefined;
  readonly key: string | undefined;
  /** The variable that should hold the key: for the message where it does not. */
  readonly keyVariable: string;
}
