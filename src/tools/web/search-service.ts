/** A search engine as a person configured it. */
export interface SearchService {
  readonly provider: 'brave' | 'tavily' | 'searxng';
  /** Without the path of an endpoint; undefined: the provider's own. */
  readonly baseUrl: string | undefined;
  readonly key: string | undefined;
  /** The variable that should contain the key, for the message if it does not. */
  readonly keyVariable: string;
}
