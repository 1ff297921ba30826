import * as z from 'zod/mini';

/** Returns the part of a result that a toolset reports as file changes. */
export const fileChanges = z.array(z.object({path: z.string(), kind: z.enum(['add', 'delete', 'update'])}));
