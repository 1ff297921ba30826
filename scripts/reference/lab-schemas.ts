import * as z from 'zod/mini';
import {PreferenceRecord, Provenance, RlRecord, SftRecord} from '../../src/lab/export/records.ts';

/** JSON Schema (2020-12) of a line of each dataset of `fettle lab export`, by the name of the page. */
export const LAB_SCHEMAS: Readonly<Record<string, () => string>> = Object.fromEntries(
  Object.entries({sft: SftRecord, preference: PreferenceRecord, rl: RlRecord, provenance: Provenance}).map(([name, schema]) => [
    `docs/reference/lab-${name}.schema.json`,
    () =>
      `${JSON.stringify({title: `A line of ${name}`, ...z.toJSONSchema(schema, {target: 'draft-2020-12', io: 'output'})}, undefined, 2)}\n`,
  ]),
);
