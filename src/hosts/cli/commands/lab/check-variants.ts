import {FettleError} from '../../../../base/errors.ts';
import {SCRIPT} from '../../../../lab/run/make-plan.ts';
import type {RunPlan} from '../../../../lab/run/run-plan.ts';
import {missingKey} from '../../../../models/missing-key.ts';
import {openProvider} from '../../../../models/open-provider.ts';
import type {SessionSettings} from '../../../../sdk/settings/session-settings.ts';
import {loadToolsetByName} from '../../../../tools/toolsets/load-toolset.ts';

/**
 * Throws CONFIG for a model or toolset with which no rollout can be run: each would fail, and be tried again for over a minute. Keys are looked for where this
 * machine carries out the rollouts; workers of a queue have their own.
 */
export async function assertVariants(
  {models, toolsets, isShared}: Pick<RunPlan, 'models' | 'toolsets' | 'isShared'>,
  {providerSettings}: Pick<SessionSettings, 'providerSettings'>,
): Promise<void> {
  await Promise.all(toolsets.map(loadToolsetByName));
  for (const model of models.filter((name) => name !== SCRIPT)) {
    await openProvider(model, providerSettings);
    if (!isShared) assertKey(model, providerSettings);
  }
}

function assertKey(model: string, settings: SessionSettings['providerSettings']): void {
  const variable = missingKey(model, settings);
  if (variable === undefined) return;
  throw new FettleError({
    code: 'CONFIG',
    message: `No key for ${model.split('/', 1)[0] ?? ''}: ${variable} is not set.`,
    hint: 'Set it where you start the run, or leave its models out.',
  });
}
