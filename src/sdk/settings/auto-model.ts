import {FettleError} from '../../base/errors.ts';
import type {Settings} from '../../config/settings.ts';

/** The value of `model` that leaves the choice to what was learned. */
export const AUTO_MODEL = 'auto';
/** The name under which its choices are learned. */
export const MODEL_DECISION = 'model';

/** Throws CONFIG if `model = "auto"` lacks what it needs: learning that is on, and the models that it may choose. */
export function assertCanChoose({optimization: {enabled, models}}: Pick<Settings, 'optimization'>): void {
  if (enabled && models.length > 0) return;
  throw new FettleError({
    code: 'CONFIG',
    message: enabled ? 'model = "auto" has no models to choose from.' : 'model = "auto" needs learning, and that is off.',
    hint: 'Set `enabled = true` and `models = ["provider/model", …]` below [optimization], in the file that `fettle config path` shows; or name one model.',
  });
}
