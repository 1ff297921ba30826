import type {SessionSettings} from '../settings/session-settings.ts';

type Priced = Pick<SessionSettings, 'settings' | 'origins'>;

/** Warns that the limit of cost cannot be enforced if a person has set one and the price of the model is not known. */
export async function notesOnPrice(session: Priced): Promise<readonly string[]> {
  const {source, name} = session.origins['limits.max_cost_usd'] ?? {source: 'default', name: ''};
  const {model = ''} = session.settings;
  if (source === 'default' || (await hasPrice(session))) return [];
  const setting = source === 'flag' || source === 'env' ? name : 'limits.max_cost_usd';
  return [`No price is known for ${model}: ${setting} cannot hold it. Use --max-tokens.`];
}

/** OpenRouter reports the cost of each request; a recording has the cost at the time it was made. */
async function hasPrice({settings}: Priced): Promise<boolean> {
  const {model = '', custom_providers: custom} = settings;
  if (model.startsWith('replay:')) return true;
  if (model.startsWith('openrouter/') && !custom.some(({name}) => name === 'openrouter')) return true;
  const {modelInfo} = await import('../../models/catalog.ts');
  return modelInfo(model).prices !== undefined;
}
