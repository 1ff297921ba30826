const USERS = new Map([
  [1, {name: 'Ada'}],
  [2, {name: 'Grace'}],
]);

export function getUser(id) {
  return USERS.get(id) ?? {name: 'nobody'};
}
