import type {InstantModel} from '../instant-model.ts';
import type {RowCall} from '../rows.ts';
import type {PlannedCall} from '../wires/wire.ts';

/** An agent that takes part: how it is started, and with which of its tools it does what the rows ask for. */
export interface Contender {
  readonly name: string;
  /** Arguments for one prompt without a person. */
  argv(place: Place): readonly string[];
  /** Arguments that make it do nothing but start. */
  readonly idleArgv: readonly string[];
  /** Its version, where it does not say it then. */
  readonly version?: string;
  /** Variables besides PATH, HOME and TMPDIR. */
  env(place: Place): Readonly<Record<string, string>>;
  /** Files of its scratch home: path and content. */
  files(place: Place): Readonly<Record<string, string>>;
  readonly tools: Tools;
  /** A sentence below the table: what a reader must know of how it was measured. */
  readonly note: string;
}

/** Its own call for each call of a row; a text instead says why it has none. */
export type Tools = Readonly<Record<RowCall['name'], string | ((given: RowCall['arguments']) => PlannedCall)>>;

export interface Place {
  readonly home: string;
  readonly model: Pick<InstantModel, 'baseUrl' | 'origin'>;
}

/** A contender that others made. */
export interface Peer extends Contender {
  /** Its command on PATH, and the variable that names another one. */
  readonly command: string;
  readonly variable: string;
  readonly install: string;
}
