/** 'no': not wanted · 'yes': wanted unless ignored or hidden · 'forced': wanted even then. */
export type EntryChoice = 'no' | 'yes' | 'forced';

/** Selection of the entries of one folder; asked for each entry while walking, so that whole folders can be skipped. */
export interface Selector {
  /** True: it judges names with a leading dot itself, the walker does not. */
  readonly judgesDots: boolean;
  readonly file: (name: string) => EntryChoice;
  readonly folder: (name: string) => FolderChoice;
  /** For a link that leads to a folder; undefined: it is not followed. Only a glob of a shell follows links. */
  readonly link?: (name: string) => FolderChoice;
}

export interface FolderChoice {
  readonly choice: EntryChoice;
  /** Selector for the entries of the folder; undefined: none is wanted. */
  readonly below: Selector | undefined;
  /** The folder itself is a result, as `name/`. */
  readonly listed?: boolean;
}

export const SELECT_NOTHING: FolderChoice = {choice: 'no', below: undefined};

/** Every file. */
export const EVERYTHING: Selector = {
  judgesDots: false,
  file: () => 'yes',
  folder: () => ALL_BELOW,
};

const ALL_BELOW: FolderChoice = {choice: 'yes', below: EVERYTHING};
