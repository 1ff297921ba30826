import {FettleError, isFettleError} from '../../../base/errors.ts';
import type {BlobStore} from '../store/blob-store.ts';
import {pathText} from '../byte-path.ts';
import {needsContent, type Refusal, type RestorePlan} from './restore-plan.ts';

/**
 * Returns a plan whose contents all exist undamaged. `force` leaves out the other files, and names them.
 * @throws FettleError IO without it.
 */
export function withKnownContents(plan: RestorePlan, {blobs, force}: {readonly blobs: BlobStore; readonly force: boolean}): RestorePlan {
  const missing: Refusal[] = plan.steps.filter(needsContent).flatMap(({path, to}) => {
    const reason = to?.kind === 'file' ? whyMissing(blobs, to.hash ?? '', to.size) : undefined;
    return reason === undefined ? [] : [{path, reason, isConflict: false}];
  });
  if (missing.length === 0) return plan;
  if (!force) throw damagedContents(missing);
  const paths = new Set(missing.map(({path}) => path));
  return {steps: plan.steps.filter(({path}) => !paths.has(path)), refused: [...plan.refused, ...missing]};
}

function whyMissing(blobs: BlobStore, hash: string, size: number): string | undefined {
  try {
    blobs.get(hash, size);
    return undefined;
  } catch (error) {
    if (isFettleError(error)) return error.message;
    throw error;
  }
}

const SHOWN = 5;

function damagedContents(missing: readonly Refusal[]): FettleError {
  const names = missing.slice(0, SHOWN).map(({path}) => pathText(path));
  const more = missing.length > SHOWN ? ` and ${missing.length - SHOWN} more` : '';
  return new FettleError({
    code: 'IO',
    message: `Nothing was restored: the saved content of ${names.join(', ')}${more} is missing or damaged.`,
    hint: 'Name other files to restore those alone, or --force to restore all but these.',
  });
}
