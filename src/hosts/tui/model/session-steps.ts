import type {LiveCommand} from '../../../protocol/live-command.ts';
import {NOTHING_LIVE, withCommands, withContent} from '../live-commands/live-state.ts';
import type {StateChange} from './action.ts';
import {add} from './apply-event.ts';
import {only} from './only.ts';
import {backToEditor, beginQueued} from './queued.ts';
import {SCREEN_COMMANDS} from './screen-commands.ts';
import type {ScreenState} from './screen-state.ts';
import type {Steps} from './steps.ts';

/** Steps for reports of the session about itself, and about background commands. */
export const SESSION_STEPS: Steps<'info' | 'commands' | 'status' | 'background' | 'live' | 'switched'> = {
  info: (state, {info}) => only({...state, info}),
  commands: (state, {commands}) => open({...state, commands: [...SCREEN_COMMANDS, ...commands]}),
  status: (state, {text}) => only({...state, statusText: text}),
  background: (state, {commands}) => only(withBackground(state, commands)),
  live: (state, {id, content}) => only({...state, live: withContent(state.live, id, content)}),
  switched: (state, {folder, info}) =>
    only(
      add(
        {
          ...(state.isOpening === true ? state : backToEditor(state)),
          folder,
          info,
          todo: [],
          agents: [],
          subagents: [],
          dialogs: [],
          live: NOTHING_LIVE,
        },
        {kind: 'banner', appName: state.appName, folder, info},
      ),
    ),
};

/** The session is open, and the screen has said so: waiting input starts. */
function open(state: ScreenState): StateChange<ScreenState> {
  if (state.isOpening !== true) return only(state);
  const opened = {...state, isOpening: undefined};
  return beginQueued(opened) ?? only(opened);
}

/** A command that has ended takes no input. */
function withBackground(state: ScreenState, commands: readonly LiveCommand[]): ScreenState {
  const live = withCommands(state.live, commands, state.now);
  const {overlay} = state;
  const isOver = overlay?.type === 'command' && live.commands.every(({id, end}) => id !== overlay.id || end !== undefined);
  return isOver ? {...state, live, overlay: {...overlay, mode: 'following'}} : {...state, live};
}
