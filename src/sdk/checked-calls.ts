import {createSessionSchedule as createSchedule} from '../schedule/session/session-schedule.ts';
import {exportSession as exportAnySession} from '../sessions/export/export-session.ts';
import {searchSessions as searchAll} from '../sessions/search-sessions.ts';
import {listSessions as listAll} from '../sessions/session-list.ts';
import {SDK_ARGUMENTS as ARGUMENTS} from './arguments/argument-shapes.ts';
import {checked, checkedAsync} from './arguments/check-arguments.ts';
import * as checkpoints from './undo/checkpoints.ts';
import {judgeCall as judge} from './tools/judge-call.ts';
import {loadSettings as load, withModel as needModel} from './settings/load-settings.ts';
import {openThread as open} from './thread/open-thread.ts';
import {openOptimizer as openLearning} from './optimization/open-optimizer.ts';
import {openTools as openAll} from './tools/open-tools.ts';
import {replaySession as replay} from './replay/replay-session.ts';
import {showContext as show} from './sessions/show-context.ts';

export type {DueTask, SessionSchedule} from '../schedule/session/session-schedule.ts';
export type {DecisionContext, Explanation, FinishedRun, MadeDecision, RewardSignal, RunVerdict} from './optimization/open-optimizer.ts';
export type {OpenedOptimizer, OptimizerRequest} from './optimization/open-optimizer.ts';
export type {ReplayRequest} from './replay/open-replay.ts';
export type {ContextPart, ShownContext} from './sessions/show-context.ts';

// The functions that embedders call: a wrong argument is refused with a message, and not with a TypeError from inside.
export const openThread = checkedAsync('openThread', ARGUMENTS.openThread, open);
export const loadSettings = checkedAsync('loadSettings', ARGUMENTS.loadSettings, load);
export const withModel: typeof needModel = (loaded) => {
  checked('withModel', ARGUMENTS.withModel, needModel)(loaded);
  return loaded;
};
export const openTools = checkedAsync('openTools', ARGUMENTS.openTools, openAll);
export const openOptimizer = checkedAsync('openOptimizer', ARGUMENTS.openOptimizer, openLearning);
export const judgeCall = checkedAsync('judgeCall', ARGUMENTS.judgeCall, judge);
export const showContext = checkedAsync('showContext', ARGUMENTS.showContext, show);
export const replaySession = checkedAsync('replaySession', ARGUMENTS.replaySession, replay);
export const createSessionSchedule = checked('createSessionSchedule', ARGUMENTS.createSessionSchedule, createSchedule);
export const listSessions = checked('listSessions', ARGUMENTS.listSessions, listAll);
export const searchSessions = checkedAsync('searchSessions', ARGUMENTS.searchSessions, searchAll);
export const exportSession = checkedAsync('exportSession', ARGUMENTS.exportSession, exportAnySession);
export const listCheckpoints = checkedAsync('listCheckpoints', ARGUMENTS.listCheckpoints, checkpoints.listCheckpoints);
export const showCheckpoint = checkedAsync('showCheckpoint', ARGUMENTS.showCheckpoint, checkpoints.showCheckpoint);
export const restoreTo = checkedAsync('restoreTo', ARGUMENTS.restoreTo, checkpoints.restoreTo);
