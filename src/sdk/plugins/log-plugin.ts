import type {Session} from '../../sessions/session-store.ts';
import {logFrames} from './keep-frames.ts';
import type {ThreadPlugin} from './thread-plugin.ts';

/** Creates the plugin that writes each event, and each new frame of the requests, to the log. A log that cannot be written fails the turn. */
export function logPlugin(session: Session, secrets: readonly string[] | undefined): ThreadPlugin {
  return {
    name: 'log',
    onRedactedEvent: (event) => session.log.append(event),
    wrapRequest: (request) => logFrames(session, secrets, request),
  };
}
