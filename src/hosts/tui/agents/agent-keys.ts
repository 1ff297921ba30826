import type {StateChange} from '../model/action.ts';
import type {KeyInput} from '../keys/key.ts';
import type {ScreenState} from '../model/screen-state.ts';
import {laidOutAgent} from './agent-frame.ts';
import {scrolled} from './agent-scroll.ts';
import {openAgent} from './open-agent.ts';
import {isActive, type AgentOverlay} from './subagent.ts';

/** Keys of the view into a subagent, as in the pager; Tab goes to the next one, `x` twice cancels it. */
export function agentKey(state: ScreenState, overlay: AgentOverlay, key: KeyInput): StateChange<ScreenState> {
  const {isCancelArmed: _armed, ...calm} = overlay;
  if (key.type === 'paste') return shown(state, calm);
  if (key.name === 'x') return cancel(state, overlay);
  const own = COMMANDS[key.name];
  return own === undefined ? shown(state, calm) : own(state, calm);
}

type Command = (state: ScreenState, overlay: AgentOverlay) => StateChange<ScreenState>;

const byRows =
  (rows: number): Command =>
  (state, overlay) =>
    moved(state, overlay, () => rows);
const byPages =
  (pages: number): Command =>
  (state, overlay) =>
    moved(state, overlay, (room) => pages * Math.max(1, room - 1));
const toStart: Command = (state, overlay) => moved(state, {...overlay, from: {entry: 0, skip: 0}}, () => 0);
const toEnd: Command = (state, {from: _from, ...overlay}) => shown(state, overlay);
const leave: Command = ({overlay: _overlay, ...state}) => ({state, effects: []});
const fold: Command = (state, {from, isWhole, ...overlay}) =>
  shown(state, {...overlay, isWhole: !isWhole, ...(from === undefined ? {} : {from: {entry: from.entry, skip: 0}})});
const next: Command = (state, overlay) => other(state, overlay, 1);
const previous: Command = (state, overlay) => other(state, overlay, -1);

const COMMANDS: Readonly<Record<string, Command>> = {
  q: leave,
  escape: leave,
  tab: next,
  right: next,
  'shift+tab': previous,
  left: previous,
  'ctrl+o': fold,
  enter: fold,
  up: byRows(-1),
  k: byRows(-1),
  down: byRows(1),
  j: byRows(1),
  pageup: byPages(-1),
  b: byPages(-1),
  pagedown: byPages(1),
  space: byPages(1),
  home: toStart,
  g: toStart,
  end: toEnd,
  G: toEnd,
  'shift+g': toEnd,
};

function moved(state: ScreenState, {from, ...overlay}: AgentOverlay, rowsIn: (room: number) => number): StateChange<ScreenState> {
  const laidOut = laidOutAgent(state, {...overlay, from});
  if (laidOut === undefined) return shown(state, {...overlay, from});
  const place = scrolled(laidOut, from, rowsIn(laidOut.room));
  return shown(state, place === undefined ? overlay : {...overlay, from: place});
}

/** The next or the previous one, round the end. */
function other(state: ScreenState, overlay: AgentOverlay, by: 1 | -1): StateChange<ScreenState> {
  const {subagents} = state;
  const at = subagents.findIndex(({id}) => id === overlay.id);
  const agent = subagents[(at + by + subagents.length) % subagents.length];
  return agent === undefined || agent.id === overlay.id ? shown(state, overlay) : openAgent(state, agent.id, overlay.isWhole);
}

/** The first press asks, the second one cancels. */
function cancel(state: ScreenState, {isCancelArmed, ...overlay}: AgentOverlay): StateChange<ScreenState> {
  const agent = state.subagents.find(({id}) => id === overlay.id);
  if (agent === undefined || !isActive(agent)) return shown(state, overlay);
  if (isCancelArmed !== true) return shown(state, {...overlay, isCancelArmed: true});
  return {state: {...state, overlay}, effects: [{type: 'cancelAgent', id: agent.id}]};
}

function shown(state: ScreenState, overlay: AgentOverlay): StateChange<ScreenState> {
  return {state: {...state, overlay}, effects: []};
}
