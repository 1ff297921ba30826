/** A format of data whose text can be checked and laid out. */
export interface DataFormat {
  /** The first mistake, with its place; undefined: it can be parsed. */
  problem(text: string, before: string): string | undefined;
  /** The same data and comments in the style of another text of that format. */
  reformat(text: string, style: string): string;
}
