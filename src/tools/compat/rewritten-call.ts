import type {JsonObject} from '../../base/json.ts';

/** The tool, and its input, that a call in the way of another agent means. */
export interface Rewritten {
  readonly name: string;
  readonly input: JsonObject;
}
