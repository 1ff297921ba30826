/**
 * A capability that a tool requires and not every session has: a search engine, an index of code, skills, a plan to accept, a schedule. Without it the
 * tool is not advertised; the error of a call names the missing capability.
 */
export type Capability = 'web_search' | 'symbols' | 'skills' | 'plan_mode' | 'schedule';
