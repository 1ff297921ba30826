import {FettleError} from '../../base/errors.ts';
import type {RolloutRequest} from '../rollout/rollout-request.ts';
import {setUpRules} from '../rollout/place/rollout-rules.ts';
import {runConfined} from '../rollout/place/run-confined.ts';
import {makeScratchPlace, type ScratchPlace} from '../rollout/place/scratch-place.ts';
import {gitVariables} from '../rollout/tree/git-variables.ts';
import {prepareStep, prepareTree} from '../rollout/tree/prepare-tree.ts';
import {removeTree} from '../rollout/tree/remove-tree.ts';
import {verifyStep} from '../rollout/verify/verify-step.ts';
import type {Verification} from '../suite/task.ts';
import type {Decoy} from './decoys.ts';

/** One tree and what is run on it. */
export interface ScoredTree {
  /** '' for the starting tree. */
  readonly patch: string;
  /** Appended to files of it, after the patch. */
  readonly decoys?: readonly Decoy[] | undefined;
  readonly verify: Verification;
}

/**
 * Makes the starting tree anew, applies the patch and runs the verification, all in isolation. True if it passed; a patch that does not apply has not.
 * Every tree of a task has the same path, and finds nothing that another one has left: tests cannot tell them apart but by their content.
 */
export async function scoreTree(request: RolloutRequest, {patch, decoys = [], verify}: ScoredTree, signal: AbortSignal): Promise<boolean> {
  const [first] = request.task.steps;
  if (first === undefined) return false;
  const step = {...first, verify};
  const place = await makeScratchPlace(request);
  try {
    await prepareTree(request, place, signal);
    await prepareStep(request, place, {step, signal});
    if (patch !== '' && !(await changeTree({request, place}, {command: APPLY, input: patch}, signal))) return false;
    for (const {path, text} of decoys)
      if (!(await changeTree({request, place}, {command: [...APPEND, path], input: text}, signal))) return false;
    return (await verifyStep(request, place, {step, signal})).reward >= 1;
  } finally {
    await removeTree(place.folder);
  }
}

interface Around {
  readonly request: RolloutRequest;
  readonly place: ScratchPlace;
}

interface TreeChange {
  /** A program and its arguments. */
  readonly command: readonly [string, ...string[]];
  readonly input: string;
}

/** Confined to the tree: a patch can make links that lead out of it. */
async function changeTree(
  {request, place}: Around,
  {command: [program, ...args], input}: TreeChange,
  signal: AbortSignal,
): Promise<boolean> {
  const rules = {...setUpRules(request, place), writable: [place.tree], shown: [], visible: [place.tree], network: false};
  const result = await runConfined(
    {request, place},
    {
      program,
      args,
      rules,
      cwd: place.tree,
      // A repository around the scratch folder is none of its business.
      env: {...gitVariables(), GIT_CEILING_DIRECTORIES: place.folder},
      timeoutMs: TIMEOUT_MS,
      input,
    },
    signal,
  );
  if (result.cancelled) throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
  return result.exitCode === 0;
}

const APPLY = ['git', 'apply', '--whitespace=nowarn', '-'] as const;
const APPEND = ['sh', '-c', 'mkdir -p "$(dirname "$1")" && cat >> "$1"', 'sh'] as const;

const TIMEOUT_MS = 120_000;
