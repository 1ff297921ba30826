import {isCustomTool} from '../../tools/custom/define-custom-tool.ts';
import {snakeCase} from '../../tools/custom/tool-name.ts';
import type {OpenThreadOptions, OpenThreadRequest, PlacedThreadOptions} from './thread-options.ts';
import {loadSettings, withModel} from '../settings/load-settings.ts';
import type {SessionSettings} from '../settings/session-settings.ts';

/** Returns the options of a thread with settings: the given ones, or those of its folder. Throws CONFIG without a model. */
export async function withSession(request: OpenThreadRequest): Promise<OpenThreadOptions> {
  if (request.session !== undefined) return {...request, session: forHost(request.session, request)};
  const {cwd, env, home, trust, model, toolset, mode, sandbox, rules, limits, ...host} = request;
  const toolNames = namesOf(host);
  const loaded = await loadSettings({cwd, env, home, trust, model, toolset, mode, sandbox, rules, limits, toolNames});
  return {...host, session: host.provider === undefined ? withModel(loaded) : forHost(loaded, host)};
}

type HandedIn = Pick<PlacedThreadOptions, 'provider' | 'tools'>;

/** Prompts, prices and events name the model that replies. */
function forHost(session: SessionSettings, {provider, tools}: HandedIn): SessionSettings {
  const named = tools === undefined ? session : {...session, toolNames: namesOf({tools})};
  return provider === undefined ? named : {...named, settings: {...named.settings, model: provider.model}};
}

/** Names of the custom tools. Values that are not tools are skipped here and refused when the tools are opened. */
function namesOf({tools = []}: Pick<HandedIn, 'tools'>): readonly string[] {
  return tools.flatMap((tool) => (isCustomTool(tool) && typeof tool.name === 'string' ? [snakeCase(tool.name)] : []));
}
