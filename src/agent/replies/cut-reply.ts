import {isJsonObject, parseJson} from '../../base/json.ts';
import type {ModelReply} from '../../models/provider.ts';
import type {ToolCallPart} from '../../protocol/messages.ts';
import type {ReceivedReply, AnnouncedCall} from './received-reply.ts';
import type {AskAgain, Faults} from './unusable-reply.ts';

/** The most replies in a row that may be cut without any progress. */
export const MAX_CUT = 3;

/** Handles a reply without calls that the output limit cut: the model is asked to continue; undefined: it was asked often enough. */
export function cutReply(faults: Faults): AskAgain | undefined {
  const cut = faults.cut + 1;
  if (cut >= MAX_CUT) return undefined;
  const message = 'The reply was cut off: the model reached its output limit. It is asked to continue in smaller pieces.';
  return {faults: {...faults, empty: 0, cut}, note: {event: 'reply_cut', message}, tell: REPLY_CUT};
}

/**
 * Handles a reply with calls that the output limit cut; undefined: it was not cut. The result of a cut call says so. Calls that ran are
 * progress: the count starts over.
 */
export function cutCalls({reply, calls}: Extract<ReceivedReply, {ok: true}>, faults: Faults): AskAgain | undefined {
  if (reply.stopReason !== 'max_tokens') return undefined;
  const names = calls.filter(({isCut}) => isCut).map(({call}) => call.name);
  const cut = calls.some(({isCut}) => !isCut) ? 0 : faults.cut + 1;
  const where = names.length === 0 ? 'after its calls' : `in the call of ${names.join(', ')}`;
  const what = names.length === 0 ? 'The model is told.' : 'It is not run, and the model is told.';
  const message = `The reply was cut off ${where}: the model reached its output limit. ${what}`;
  const note = {event: 'reply_cut', message};
  return {faults: {...faults, empty: 0, cut}, note, ...(names.length === 0 ? {tell: CUT_BEHIND_CALLS} : {})};
}

/**
 * Returns true if the output limit has cut, or may have cut, the arguments of a call. Only the last part of a
 * reply can be cut; a truncated JSON object is never valid. Servers that parse arguments return an empty object
 * if none of them arrived.
 */
export function isCutCall(call: ToolCallPart, {message, stopReason}: Pick<ModelReply, 'message' | 'stopReason'>): boolean {
  if (stopReason !== 'max_tokens') return false;
  if (call.arguments.trim() === '') return true;
  if (call !== message.parts.at(-1)) return false;
  const parsed = parseJson(call.arguments);
  return !isJsonObject(parsed) || Object.keys(parsed).length === 0;
}

/** Returns the result of a call that was cut, for the model. */
export function cutCallText({call}: AnnouncedCall): string {
  return `not run: the output limit cut off this reply in the arguments of ${call.name}. Call again with less text at once, one call a reply.`;
}

/** For the model. */
const REPLY_CUT = 'Your reply was cut off at the output limit. Go on from there in smaller pieces: less text, one call at a time.';
const CUT_BEHIND_CALLS = 'Your reply was cut off at the output limit after these calls; they ran. Whatever was to follow is missing.';
