import {describe, expect, it} from 'vitest';
import type {BackgroundCommands} from '../../../../src/hosts/tui/host-adapter.ts';
import type {Action} from '../../../../src/hosts/tui/model/action.ts';
import {createFollower} from '../../../../src/hosts/tui/live-commands/follow-commands.ts';
import {play, typed} from '../model/play.ts';
import {background, command} from './cells.ts';

function following(unknown: readonly string[] = []) {
  const log: string[] = [];
  const actions: Action[] = [];
  const session = (name: string): BackgroundCommands => ({
    watch(id, listener) {
      if (unknown.includes(id)) throw new Error('There is none.');
      log.push(`${name}+${id}`);
      listener({type: 'output', text: id, isCut: false});
      return () => void log.push(`${name}-${id}`);
    },
    type: () => undefined,
    end: async () => undefined,
  });
  let current: BackgroundCommands | undefined = session('a');
  const follower = createFollower({background: () => current, dispatch: (action) => actions.push(action)});
  return {log, actions, follower, use: (name: string | undefined) => void (current = name === undefined ? undefined : session(name))};
}

const WAITED = command({calls: ['c1']});
const stateOf = (...moves: Parameters<typeof play>[0]) => play(moves).state;

describe('commands are followed while they are shown, and no others', () => {
  it('one that a call waits for, until none does', () => {
    const {log, actions, follower} = following();
    const state = stateOf(background(WAITED, command({id: 't2'}), command({id: 's1', isInteractive: false, calls: ['c2']})));
    follower.follow(state);
    follower.follow(state);
    follower.follow(play([background(WAITED)], state).state);
    follower.follow(play([background(command())], state).state);
    expect([log, actions]).toEqual([['a+t1', 'a-t1'], [{type: 'live', id: 't1', content: {type: 'output', text: 't1', isCut: false}}]]);
  });

  it('one that is open in full, until it is left, also when it has ended', () => {
    const {log, follower} = following();
    const open = stateOf(background(command({id: 's1', isInteractive: false})), ...typed('/ps s1'), 'enter');
    follower.follow(open);
    const ended = play([background(command({id: 's1', end: {exitCode: 0, signal: null, timedOut: false, cancelled: false}}))], open).state;
    follower.follow(ended);
    follower.follow(play(['escape'], ended).state);
    expect(log).toEqual(['a+s1', 'a-s1']);
  });

  it('of the session of the moment; what is gone there is left out', () => {
    const {log, follower, use} = following(['t9']);
    const state = stateOf(background(WAITED, command({id: 't9', calls: ['c9']})));
    follower.follow(state);
    use('b');
    follower.follow(state);
    use(undefined);
    follower.follow(state);
    expect(log).toEqual(['a+t1', 'a-t1', 'b+t1', 'b-t1']);
  });

  it('none any more when the screen is left', () => {
    const {log, follower} = following();
    follower.follow(stateOf(background(WAITED)));
    follower.close();
    expect(log).toEqual(['a+t1', 'a-t1']);
  });
});
