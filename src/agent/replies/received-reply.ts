import type {ModelFailure, ModelReply} from '../../models/provider.ts';
import type {ToolCallPart} from '../../protocol/messages.ts';

/** One reply of a model whose items were emitted, or the reason why there is none. */
export type ReceivedReply =
  | {
      readonly ok: true;
      readonly reply: ModelReply;
      readonly text: string;
      readonly calls: readonly AnnouncedCall[];
      /** See `readReply`. */
      readonly hasUnclearCall: boolean;
    }
  | {readonly ok: false; readonly failure: ModelFailure};

/** A tool call of the reply whose item was started; the dispatcher completes it. */
export interface AnnouncedCall {
  readonly itemId: string;
  readonly requestId: string;
  readonly call: ToolCallPart;
  /** True if the output limit cut the call, so that it is not run. */
  readonly isCut: boolean;
}
