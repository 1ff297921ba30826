import {getUser as lookUp} from './users.mjs';
import {RIGHTS} from './rights.mjs';

// The name of the action, as it stands in old logs.
const ACTION = 'getUser';

export function audit(ids) {
  return ids.map((id) => `${ACTION} ${lookUp(id).name} ${RIGHTS.getUser}`);
}
