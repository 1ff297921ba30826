import {FettleError} from '../../base/errors.ts';
import {visibleText} from '../../base/visible-text.ts';
import {missingKey} from '../../models/missing-key.ts';
import {entryOf} from '../../models/provider-entry.ts';
import {assertCanChoose} from '../settings/auto-choices.ts';
import {MODEL_DECISION} from '../settings/auto-model.ts';
import type {SessionSettings} from '../settings/session-settings.ts';
import type {OpenThreadOptions} from '../thread/thread-options.ts';
import {affordable} from './expected-price.ts';
import {resumedRun} from './newest-run.ts';
import {taskFeatures} from './task-features.ts';
import type {MadeChoice} from './thread-choices.ts';
import {openThreadOptimizer} from './thread-optimizer.ts';

/** A model, and why it was chosen. */
interface ChosenModel extends MadeChoice {
  readonly model: string;
  readonly notices: readonly string[];
}

/**
 * Chooses one of `optimization.models` whose key is set: that of the session where it is resumed, else by what was learned.
 * Throws CONFIG if there is none, or none can be used.
 */
export async function chooseModel(options: OpenThreadOptions): Promise<ChosenModel> {
  const {session} = options;
  assertCanChoose(session.settings);
  const {ready, notices} = readyModels(session);
  const kept = await keptModel(options);
  if (kept !== undefined && ready.includes(kept.model)) return {...kept, notices: [noticeOf(kept)]};
  const {optimization, limits} = session.settings;
  const features = await taskFeatures(options);
  const optimizer = await openThreadOptimizer(session);
  // The size of the prompt says little of the tokens that a run takes.
  const {size: _, ...kind} = features;
  const typical = optimizer.typicalTokens(MODEL_DECISION, kind);
  const {models, notices: tooExpensive} = affordable(ready, {limitUsd: limits.max_cost_usd, typical});
  const {action, ...made} = optimizer.select(models, {decision: MODEL_DECISION, exploreShare: optimization.explore_share, features});
  const chosen = {model: action, ...made};
  return {...chosen, notices: [noticeOf(chosen), ...optimizer.close(), ...notices, ...tooExpensive.map(visibleText)]};
}

function noticeOf({model, why}: {readonly model: string; readonly why: string}): string {
  return visibleText(`Model ${model}: ${why}.`);
}

/** The allowed models that can be used here, and a notice on each other one. */
function readyModels({settings, providerSettings}: SessionSettings): {
  readonly ready: readonly string[];
  readonly notices: readonly string[];
} {
  const models = [...new Set(settings.optimization.models)].map((model) => ({model, problem: problemOf(model, providerSettings)}));
  const ready = models.flatMap(({model, problem}) => (problem === undefined ? [model] : []));
  const notices = models.flatMap(({model, problem}) => (problem === undefined ? [] : [visibleText(`${model} is left out: ${problem}.`)]));
  if (ready.length > 0) return {ready, notices};
  throw new FettleError({
    code: 'CONFIG',
    message: `None of the models that model = "auto" may choose can be used. ${notices.join(' ')}`,
    hint: 'Set a key, or change `models` below [optimization]; `fettle models list` shows the providers.',
  });
}

/** Longer names are not stored. */
const LONGEST_NAME = 100;

function problemOf(model: string, settings: SessionSettings['providerSettings']): string | undefined {
  if (model.length > LONGEST_NAME) return `its name is longer than ${LONGEST_NAME} characters`;
  if (entryOf(model.split('/', 1)[0] ?? '', settings) === undefined) return 'its provider is not known';
  const variable = missingKey(model, settings);
  return variable === undefined ? undefined : `${variable} is not set`;
}

/** The model of the session that is resumed, with the choice that it was. */
async function keptModel(options: OpenThreadOptions): Promise<Omit<ChosenModel, 'notices'> | undefined> {
  const run = await resumedRun(options);
  return run === undefined ? undefined : {model: run.model, why: 'the session keeps its model', choice: run.choices.model};
}
