/** Known facts about a program's command line. Options are named without their dashes. */
export interface ProgramFacts {
  /**
   * text: prints its words · facts: describes files without their content · read: prints files · search: the same, its first word is a
   * pattern · write: makes, changes or removes the files it names.
   */
  readonly kind?: 'text' | 'facts' | 'read' | 'search' | 'write';
  /** Short options that run a program, write a file or load code. */
  readonly short?: string;
  /** Short options whose value is glued or follows: the text after them in a cluster is not an option. */
  readonly valued?: string;
  /** The same as `short` in long form, with blanks between them; their abbreviations count too. */
  readonly long?: string;
  /** Options that only look like the beginning of one of those; with blanks between them. */
  readonly own?: string;
  /** Options that are written with one dash or two (`-shell-escape`); with blanks between them. Abbreviations count from five letters on. */
  readonly single?: string;
  /** Options whose value may be the path of a module, which is loaded: a value with a dot or a slash is risky. With their dashes. */
  readonly modules?: string;
  /** Whole words, and prefixes of words (`-toolexec=…`), with the same effect. */
  readonly words?: readonly RegExp[];
  /** First operands that run a program, or change what runs later; with blanks between them. */
  readonly subcommands?: string;
  /** Sub-commands of one or more words that run programs, or cannot be taken back (`volume rm`); among the first operands. */
  readonly actions?: RegExp;
  /** Absolute paths among its operands are in a container, on another machine or in an interface. */
  readonly elsewhere?: true;
  /** Options of such a program whose value is a file here; with their dashes and blanks between them. */
  readonly local?: string;
  /** One of these risky words followed by a word that only looks: `config view`. */
  readonly looks?: RegExp;
  /** Options that name a configuration, with their dashes and blanks between them. */
  readonly config?: string;
  /** Number of operands that are read; further ones are written. */
  readonly maxOperands?: number;
  /** Runs its arguments, whatever the options: only a rule that names the whole command exactly covers it. */
  readonly always?: string;
  /** Options whose next word is text for people, never an option or path; with blanks between them. */
  readonly texts?: string;
}

/** True for a program that only prints the named files, whatever its options. */
export function isPlainReader({kind, short, long, words, maxOperands}: ProgramFacts = {}): boolean {
  const reads = kind === 'read' || (kind === 'search' && words === undefined);
  return reads && long === undefined && short === undefined && maxOperands === undefined;
}

/** True if `word` is one of the blank-separated `names`. */
export function isNamed(names: string | undefined, word: string): boolean {
  return names !== undefined && word !== '' && ` ${names} `.includes(` ${word} `);
}
