import {isPublicFolder, secretRead} from '../places/protected-paths.ts';
import type {FileRedirect} from '../shell/shell-parts.ts';
import {pathsOf} from '../shell/shell-paths.ts';
import {evaluateRead, evaluateWrite, restrictedPath} from './evaluate-path.ts';
import {conservative, fromRule, type EvaluationContext, harmless, type EvaluatedPart} from './evaluation-context.ts';
import type {LineContext} from './line-context.ts';
import {NO_RULE} from './restrictions.ts';

/** Evaluates the file that a redirect reads or writes, by the rules for reads and for writes. */
export function evaluateRedirect(redirect: FileRedirect, context: LineContext): EvaluatedPart[] {
  const {text, target, write} = redirect;
  if (target.value !== undefined && /^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d+)$/.test(target.value)) return [];
  const paths = target.value === undefined || target.glob ? undefined : pathsOf(target.value, context.folders);
  if (paths === undefined || target.value?.startsWith('/dev/') === true)
    return [conservative(text, context, 'the file it refers to is not known')];
  return paths.map((path) => {
    const files = {...context, request: {...context.request, toolNames: [write ? 'write' : 'read']}};
    const judged =
      restrictedPath({...path, write}, files) ??
      (write ? evaluateRedirectedWrite(path, files, context) : evaluateRedirectedRead(path, files, context));
    return {...judged, text, ...(judged.rule?.effect === 'ask' && !path.inside ? {place: NO_RULE} : {})};
  });
}

/** `bash:*` and a rule for the write tool both say yes to a write. */
function evaluateRedirectedWrite(
  path: Parameters<typeof evaluateWrite>[0] | Omit<Parameters<typeof evaluateWrite>[0], 'write'>,
  files: EvaluationContext,
  context: LineContext,
): EvaluatedPart {
  const judged = evaluateWrite({...path, write: true}, files);
  const everything = context.rulesOfTool.allow.find((rule) => rule.pattern === '*');
  return judged.verdict !== 'allow' &&
    judged.decidedBy === 'default' &&
    judged.wouldAllow !== undefined &&
    path.inside &&
    everything !== undefined
    ? fromRule(path.relative, everything)
    : judged;
}

function evaluateRedirectedRead(path: Parameters<typeof evaluateRead>[0], files: EvaluationContext, context: LineContext): EvaluatedPart {
  const isFree = context.policy.mode !== 'full-auto' && secretRead(path.path) === undefined && isPublicFolder(path.path);
  return isFree ? harmless(path.path, 'a read in the workspace') : evaluateRead(path, files);
}
