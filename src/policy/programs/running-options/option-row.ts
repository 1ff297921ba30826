import type {ProgramFacts} from '../program-facts.ts';

/** Facts about programs that run something or write by their options, with the place where the option is documented. */
export interface OptionRow extends ProgramFacts {
  /** Names of the programs, separated by blanks. */
  readonly names: string;
  /** The manual page or the section of the documentation. */
  readonly source: string;
}
