/**
 * A capability that a tool requires and not every session has: a search engine, an index of code, skills, a plan to accept. Without it no
 * model is told of the tool; a call is answered with what is missing.
 */
export type Capability = 'web_search' | 'symbols' | 'skills' | 'plan_mode';
