/** What is wrong with an ATIF trajectory; empty where nothing is. */
export function check(trajectory: unknown): readonly string[];
