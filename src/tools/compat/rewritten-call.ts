import type {JsonObject} from '../../base/json.ts';

/** The tool and input that a call in the style of another agent means. */
export interface Rewritten {
  readonly name: string;
  readonly input: JsonObject;
}
