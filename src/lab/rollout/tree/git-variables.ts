import type {Variables} from '../../../exec/variables/child-environment.ts';

/** Variables for git that the lab runs itself: nothing of the person's own settings applies, and no question is asked. */
export function gitVariables(): Variables {
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: '/nonexistent',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
  };
}

/** The configuration of git in a HOME of a rollout: commits work, and the owner of a folder does not matter. */
export const GIT_CONFIG = `[user]
\tname = Agent
\temail = agent@localhost
[safe]
\tdirectory = *
[init]
\tdefaultBranch = main
`;
