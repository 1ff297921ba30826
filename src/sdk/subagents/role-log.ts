import type {RoleLog} from '../../agent/orchestration/run-role.ts';
import {createRedactor} from '../../base/redact.ts';
import {createSession} from '../../sessions/session-store.ts';
import {createEventRedactor} from '../sessions/redacted-events.ts';

/** Opens a new log for the requests and answers of a planner or an evaluator, without secrets. */
export async function openRoleLog(
  {stateDir, secrets}: {readonly stateDir: string; readonly secrets: readonly string[] | undefined},
  threadId: string,
): Promise<RoleLog> {
  const {log} = await createSession({stateDir, threadId});
  const redacted = createEventRedactor(createRedactor({secrets, shapes: true}));
  return {
    emit(event) {
      for (const one of redacted(event)) log.append(one);
    },
    async close() {
      try {
        await log.sync();
      } finally {
        log.close();
      }
    },
  };
}
