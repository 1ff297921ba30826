export function sessionOf(token) {
  // A function of the session, not that of users.mjs.
  const getUser = () => token.split(':')[0];
  return {getUser};
}
