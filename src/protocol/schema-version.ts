/** Version of the event contract. Additive: new fields are optional, new types are passed through by old readers. */
export const SCHEMA_VERSION = '1.0.0';
