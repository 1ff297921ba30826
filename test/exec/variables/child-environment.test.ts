import {describe, expect, it} from 'vitest';
import {childEnvironment} from '../../../src/exec/variables/child-environment.ts';

const quiet = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  SSH_ASKPASS_REQUIRE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
  NONINTERACTIVE: '1',
};

describe('childEnvironment', () => {
  it('an empty one gets what keeps programs from waiting for a person', () => {
    expect(childEnvironment({})).toEqual({LANG: 'C.UTF-8', ...quiet});
  });

  it('keeps what programs need to be found and to find their files', () => {
    const env = {
      PATH: '/usr/bin:/bin',
      HOME: '/home/u',
      LANG: 'de_DE.UTF-8',
      LC_TIME: 'C',
      TMPDIR: '/tmp',
      CARGO_HOME: '/c',
      VIRTUAL_ENV: '/v',
    };
    expect(childEnvironment(env)).toEqual({...env, ...quiet});
  });

  it.each([
    'OPENAI_API_KEY',
    'ANTHROPIC_API_KEY',
    'GITHUB_TOKEN',
    'NPM_TOKEN',
    'MY_SECRET',
    'CLIENT_SECRET_ID',
    'AWS_ACCESS_KEY_ID',
    'AWS_PROFILE',
    'FETTLE_HOME',
    'FETTLE_CALL_ID',
    'NODE_OPTIONS',
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'DYLD_INSERT_LIBRARIES',
    'BASH_ENV',
    'ENV',
    'PS4',
    'PROMPT_COMMAND',
    'BASH_FUNC_ls%%',
    'GIT_DIR',
    'GIT_SSH_COMMAND',
    'GIT_CONFIG_COUNT',
    'GIT_EXTERNAL_DIFF',
    'SHELLOPTS',
    'BASHOPTS',
    'IFS',
    'CDPATH',
    'PYTHONPATH',
    'PERL5OPT',
    'RUBYOPT',
    'JAVA_TOOL_OPTIONS',
    'RIPGREP_CONFIG_PATH',
    'LESSOPEN',
    'EDITOR',
    'SSH_AUTH_SOCK',
    'DATABASE_URL',
    'npm_config_script_shell',
  ])('security 7 › environment of children: %s does not reach a child', (name) => {
    expect(childEnvironment({[name]: 'x'})).toEqual({LANG: 'C.UTF-8', ...quiet});
  });

  it('an owner cannot undo the defaults', () => {
    expect(childEnvironment({PAGER: 'less', GIT_PAGER: './x', TERM: 'xterm', GIT_EDITOR: 'vim'})).toEqual({LANG: 'C.UTF-8', ...quiet});
  });

  it('drops relative folders of PATH: the working folder names no program', () => {
    expect(childEnvironment({PATH: '.:/usr/bin::node_modules/.bin:/bin'})['PATH']).toBe('/usr/bin:/bin');
    expect(childEnvironment({PATH: '.:'})['PATH']).toBeUndefined();
  });

  it('a proxy with a password is a secret', () => {
    const {https_proxy, http_proxy, NO_PROXY} = childEnvironment({https_proxy: 'http://u:p@h:1', http_proxy: 'http://h:1', NO_PROXY: 'h'});
    expect({https_proxy, http_proxy, NO_PROXY}).toEqual({https_proxy: undefined, http_proxy: 'http://h:1', NO_PROXY: 'h'});
  });
});
