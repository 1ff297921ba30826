import * as z from 'zod/mini';

/** The part of a result that a toolset hands on as the changes of its reply. */
export const fileChanges = z.array(z.object({path: z.string(), kind: z.enum(['add', 'delete', 'update'])}));
