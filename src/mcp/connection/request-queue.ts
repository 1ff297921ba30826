import type {McpServer} from '../../config/settings.ts';

/** Reports what a session waits for, so that a slow server never looks like a hang. */
export interface RequestQueue {
  /** The server is ready, or was given up. */
  done(name: string): void;
  /** The time a person takes to answer does not count as waiting for a server. */
  whilePaused<T>(wait: () => Promise<T>): Promise<T>;
  end(): void;
}

export interface Waiting {
  readonly servers: readonly McpServer[];
  /** The number of requests that run at the same time. */
  readonly parallel: number;
  /** Seconds until a server without a `startup_timeout_s` is given up. */
  readonly usualSeconds: number;
  readonly say: (line: string) => void;
}

/** Time before the first report. */
const QUIET_MS = 1000;

/** One line after a second, if servers are still starting then: their names, and the latest time at which they are given up. */
export function startRequestQueue({servers, parallel, usualSeconds, say}: Waiting): RequestQueue {
  const open = new Map(servers.map(({name, startup_timeout_s: seconds = usualSeconds}) => [name, seconds]));
  const speak = (): void => {
    if (open.size === 0) return;
    const most = Math.max(...open.values()) * Math.ceil(open.size / parallel);
    const names = [...open.keys()].slice(0, MOST_NAMED).join(', ');
    const more = open.size > MOST_NAMED ? ` and ${open.size - MOST_NAMED} more` : '';
    say(`Waiting for the MCP server${open.size === 1 ? '' : 's'} ${names}${more}, at most ${most} s; then the session goes on without.`);
  };
  const begin = (): NodeJS.Timeout => setTimeout(speak, QUIET_MS);
  let timer = begin();
  return {
    done: (name) => void open.delete(name),
    async whilePaused(wait) {
      clearTimeout(timer);
      const answer = await wait();
      timer = begin();
      return answer;
    },
    end: () => clearTimeout(timer),
  };
}

const MOST_NAMED = 5;
