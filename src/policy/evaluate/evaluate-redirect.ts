import {isPublicFolder, secretRead} from '../places/protected-paths.ts';
import type {FileRedirect} from '../shell/shell-parts.ts';
import {pathsOf} from '../shell/shell-paths.ts';
import {judgeRead, judgeWrite, restrictedPath} from './evaluate-path.ts';
import {byCaution, byRule, type Court, harmless, type Judged} from './evaluation-context.ts';
import type {LineCourt} from './line-context.ts';
import {NO_RULE} from './restrictions.ts';

/** Evaluates the file that a redirect reads or writes, by the rules for reads and for writes. */
export function judgeRedirect(redirect: FileRedirect, court: LineCourt): Judged[] {
  const {text, target, write} = redirect;
  if (target.value !== undefined && /^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d+)$/.test(target.value)) return [];
  const paths = target.value === undefined || target.glob ? undefined : pathsOf(target.value, court.folders);
  if (paths === undefined || target.value?.startsWith('/dev/') === true) return [byCaution(text, court, 'the file behind it is not known')];
  return paths.map((path) => {
    const files = {...court, request: {...court.request, toolNames: [write ? 'write' : 'read']}};
    const judged =
      restrictedPath({...path, write}, files) ??
      (write ? judgeRedirectedWrite(path, files, court) : judgeRedirectedRead(path, files, court));
    return {...judged, text, ...(judged.rule?.effect === 'ask' && !path.inside ? {place: NO_RULE} : {})};
  });
}

/** `bash:*` and a rule for the write tool both say yes to a write. */
function judgeRedirectedWrite(
  path: Parameters<typeof judgeWrite>[0] | Omit<Parameters<typeof judgeWrite>[0], 'write'>,
  files: Court,
  court: LineCourt,
): Judged {
  const judged = judgeWrite({...path, write: true}, files);
  const everything = court.rulesOfTool.allow.find((rule) => rule.pattern === '*');
  return judged.verdict !== 'allow' &&
    judged.decidedBy === 'default' &&
    judged.wouldAllow !== undefined &&
    path.inside &&
    everything !== undefined
    ? byRule(path.relative, everything)
    : judged;
}

function judgeRedirectedRead(path: Parameters<typeof judgeRead>[0], files: Court, court: LineCourt): Judged {
  const isFree = court.policy.mode !== 'full-auto' && secretRead(path.path) === undefined && isPublicFolder(path.path);
  return isFree ? harmless(path.path, 'a read in the workspace') : judgeRead(path, files);
}
