import * as z from 'zod/mini';
import {KNOWN_EVENTS, ThreadEvent} from '../../src/protocol/events.ts';
import {KNOWN_ITEMS, ThreadItem} from '../../src/protocol/items.ts';
import {SCHEMA_VERSION} from '../../src/protocol/schema-version.ts';
import {Usage} from '../../src/protocol/usage.ts';

/** JSON Schema (2020-12) of one event, each event and item type under a name of its own in `$defs`. */
export function threadEventSchema(): Schema {
  const names = z.registry<{id: string}>();
  names.add(ThreadItem, {id: 'item'});
  names.add(Usage, {id: 'usage'});
  for (const schema of KNOWN_EVENTS) names.add(schema, {id: `event.${schema.shape.type.def.values[0]}`});
  for (const schema of KNOWN_ITEMS) names.add(schema, {id: `item.${schema.shape.type.def.values[0]}`});
  const schema = z.toJSONSchema(ThreadEvent, {metadata: names, target: 'draft-2020-12', io: 'input'}) as Schema;
  const {$schema, $defs = {}, ...rest} = schema;
  const sorted = Object.entries($defs).sort(([a], [b]) => (a < b ? -1 : 1));
  return {$schema, title: 'ThreadEvent', version: SCHEMA_VERSION, ...rest, $defs: Object.fromEntries(sorted)};
}

/** As much of a JSON Schema as these pages need. */
export interface Schema {
  readonly $schema?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string;
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly [key: string]: unknown;
}
