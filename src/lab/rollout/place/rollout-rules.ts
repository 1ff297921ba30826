import type {IsolationRules, ShownFolder} from '../../../exec/sandbox/isolation.ts';
import type {RolloutRequest} from '../rollout-request.ts';
import {agentPlaces} from './agent-places.ts';
import type {ScratchPlace} from './scratch-place.ts';

/** Set-up lines see the place without the tests, as the agent does, and the network of the machine only if the task has it. */
export function setUpRules(request: RolloutRequest, place: ScratchPlace): IsolationRules {
  return {...commonRules(request, place), network: request.task.place.network, nested: false};
}

/** The agent sees the place without the tests. It has the network, to reach its model; its commands have what their own sandbox gives them. */
export function agentRules(request: RolloutRequest, place: ScratchPlace): IsolationRules {
  const common = commonRules(request, place);
  const {compileCache} = request.folders;
  return {
    ...common,
    writable: [...common.writable, place.state],
    visible: [...agentPlaces(request.agent), ...(compileCache === undefined ? [] : [compileCache])],
    network: true,
    nested: true,
  };
}

/** The verification sees the place with tests and rewards at their paths, in a HOME of its own. */
export function verifyRules(request: RolloutRequest, place: ScratchPlace, shown: readonly ShownFolder[]): IsolationRules {
  const common = commonRules(request, place);
  const own = [place.home, place.temporary];
  return {
    ...common,
    writable: [...common.writable.filter((path) => !own.includes(path)), place.judge],
    shown: [...common.shown.filter(({folder}) => !own.includes(folder)), ...shown],
    network: request.task.place.network,
    nested: false,
  };
}

function commonRules({task, isolation}: RolloutRequest, place: ScratchPlace): Omit<IsolationRules, 'network' | 'nested'> {
  const isRoot = task.place.kind === 'root';
  return {
    writable: [place.tree, place.logs, place.home, place.temporary],
    hidden: place.hidden,
    visible: [],
    shown: [
      ...(isolation?.canShow === true ? [{folder: place.temporary, at: '/tmp', writable: true}] : []),
      ...(isRoot
        ? [
            {folder: place.tree, at: '/app', writable: true},
            {folder: place.logs, at: '/logs', writable: true},
          ]
        : []),
    ],
  };
}
