/**
 * What a tool needs to be of use, and not every session has: a configured search engine, skills, a plan that a person can accept. Without it
 * no model is told of the tool; a call is answered with what is missing.
 */
export type Facility = 'web_search' | 'skills' | 'plan_mode';
