import type {Settings, ToolSettings} from '../../config/settings.ts';
import type {SessionSettings} from './session-settings.ts';

/**
 * Returns the settings with only those rights that flags name: allow rules of files and stored ones, tables of tools, the network and the
 * writable folders of the sandbox, private hosts and answers of hooks allow nothing. A mode, or a sandbox switched off, that flags do not
 * name does not widen either. Deny and ask rules of every source still hold.
 */
export function withExplicitRights(session: SessionSettings): SessionSettings {
  const {settings, origins, rules} = session;
  const isFlag = (key: string): boolean => origins[key]?.source === 'flag';
  return {
    ...session,
    explicitRights: true,
    rules: rules.filter(({effect, source}) => effect !== 'allow' || source.startsWith('--')),
    settings: {
      ...settings,
      mode: isFlag('mode') || settings.mode === 'plan' ? settings.mode : 'ask',
      sandbox: {
        ...withoutOff(settings.sandbox, isFlag('sandbox.profile')),
        network: false,
        allowed_domains: isFlag('sandbox.allowed_domains') ? settings.sandbox.allowed_domains : [],
        writable: [],
      },
      web_fetch: {private_hosts: []},
      tools: Object.fromEntries(Object.entries(settings.tools).map(([name, table]) => [name, withoutAllowance(table)])),
    },
  };
}

/** Without a profile the mode decides. */
function withoutOff({profile, ...rest}: Settings['sandbox'], isFlag: boolean): Settings['sandbox'] {
  return profile === undefined || (profile === 'off' && !isFlag) ? rest : {...rest, profile};
}

function withoutAllowance(table: ToolSettings): ToolSettings {
  const isAllowance = (key: string): boolean => key === 'allowlist' || (key === 'permission' && table.permission === 'always');
  return Object.fromEntries(Object.entries(table).filter(([key]) => !isAllowance(key)));
}
