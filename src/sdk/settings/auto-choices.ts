import {FettleError, isFettleError} from '../../base/errors.ts';
import type {Settings} from '../../config/settings.ts';
import {AUTO_MODEL, AUTO_TOOLS} from './auto-model.ts';

/** The kinds of decisions on tools; they are learned for each model apart. */
export type ToolDecision = 'toolset' | 'edit';

/** The name under which the choices for a model are learned. A name that is too long to be stored, or not plain, shares one with all such models. */
export function toolDecision(kind: ToolDecision, model: string): string {
  const name = `${kind}:${model}`;
  return /^[\x21-\x7e]{1,100}$/.test(name) ? name : kind;
}

/** Throws CONFIG if `model = "auto"` lacks what it needs: learning that is on, and the models that it may choose. */
export function assertCanChoose({optimization: {enabled, models}}: Pick<Settings, 'optimization'>): void {
  if (enabled && models.length > 0) return;
  throw new FettleError({
    code: 'CONFIG',
    message: enabled ? 'model = "auto" has no models to choose from.' : 'model = "auto" needs learning, and that is off.',
    hint: 'Set `enabled = true` and `models = ["provider/model", …]` below [optimization], in the file that `fettle config path` shows; or name one model.',
  });
}

/** Returns the models that `model = "auto"` may choose; undefined for any other model. Throws CONFIG if there are none. */
export function autoModels({model, optimization}: Pick<Settings, 'model' | 'optimization'>): readonly string[] | undefined {
  if (model !== AUTO_MODEL) return undefined;
  assertCanChoose({optimization});
  return optimization.models;
}

type Asked = Pick<Settings, 'toolset' | 'edit_dialect' | 'optimization'>;

/** Throws CONFIG if an automatic choice of tools lacks what it needs: learning that is on, and candidates. */
export function assertCanChooseTools({toolset, edit_dialect: dialect, optimization}: Asked): void {
  if (toolset === AUTO_TOOLS) assertCandidates('toolset', optimization.enabled, optimization.toolsets);
  if (dialect === AUTO_TOOLS) assertCandidates('edit_dialect', optimization.enabled, optimization.edit_dialects);
}

function assertCandidates(setting: 'toolset' | 'edit_dialect', enabled: boolean, candidates: readonly string[]): void {
  if (enabled && candidates.length > 0) return;
  const example = setting === 'toolset' ? 'toolsets = ["fettle", "vtcode"]' : 'edit_dialects = ["own", "patch"]';
  throw new FettleError({
    code: 'CONFIG',
    message: enabled ? `${setting} = "auto" has nothing to choose from.` : `${setting} = "auto" needs learning, and that is off.`,
    hint: `Set \`enabled = true\` and \`${example}\` below [optimization], in the file that \`fettle config path\` shows; or name one.`,
  });
}

/** Adds to the error for a wrong model that one can be chosen, and what that needs; returns other errors as they are. */
export function withAutoHint(error: unknown, {optimization: {enabled, models}}: Pick<Settings, 'optimization'>): unknown {
  if (!isFettleError(error) || error.code !== 'CONFIG') return error;
  const [first, ...rest] = models;
  const hint =
    enabled && first !== undefined
      ? `\`auto\` chooses one of your candidates: ${first}${rest.length === 0 ? '' : ` and ${rest.length} more`}.`
      : 'For `auto`, which chooses one, set `enabled = true` and `models` below [optimization].';
  const {code, message, cause} = error;
  return new FettleError({code, message, hint: [error.hint, hint].filter((one) => one !== undefined).join(' '), cause});
}
