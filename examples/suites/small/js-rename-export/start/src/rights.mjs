/** By action. */
export const RIGHTS = {getUser: 'read', putUser: 'write'};
