/** A resource that a server lists, with its texts cleaned and bounded. */
export interface OfferedResource {
  /** The name of the server. */
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  /** '' if the server does not say. */
  readonly mimeType: string;
}
