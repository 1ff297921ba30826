/** Version of the working memory that a boundary carries (`SessionMemoryEnvelope`). */
export const MEMORY_VERSION = 1;
