import type {Spending} from '../../agent/budget.ts';
import type {ModelWindow} from '../settings/session-settings.ts';

/** The result of a model test. */
export interface ModelReport {
  readonly model: string;
  /** Undefined if this model can be used for a run. */
  readonly fault: ModelFault | undefined;
  readonly window: ModelWindow;
  readonly prompt: {
    readonly toolset: string;
    /** Number of tools advertised to the model. */
    readonly tools: number;
    readonly estimatedTokens: number;
    /** Tokens of the first request as counted by the server; undefined if it did not report any. */
    readonly reportedTokens: number | undefined;
  };
  /** The first call of the requested tool. */
  readonly call: MadeCall | undefined;
  /** The text after the result of the call. */
  readonly answer: string | undefined;
  readonly speed: Speed;
  readonly spent: Spending;
  /** Notices for the user that are not faults, one line each. */
  readonly notes: readonly string[];
}

export interface MadeCall {
  /** `text`: the model wrote the call into its answer, and Fettle parsed it there. */
  readonly form: 'native' | 'text';
  readonly name: string;
  /** The arguments as the model wrote them. */
  readonly arguments: string;
}

export interface Speed {
  /** From the first request to its first token, seconds; undefined if none came. */
  readonly firstTokenS: number | undefined;
  /** Speed of streamed replies; undefined if they were too short to be measured. */
  readonly tokensPerS: number | undefined;
}

/** Why a run with this model would fail. */
export interface ModelFault {
  readonly code: FaultCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

export type FaultCode =
  | 'window_too_small' // the prompt does not fit
  | 'tools_refused' // the server takes the prompt, but not with tools
  | 'provider_error' // any other failure of server or network
  | 'silent_cut' // the server read less than half of the prompt
  | 'empty_answer' // nothing came, or nothing but reasoning
  | 'no_call' // text, or other calls, instead of the requested one
  | 'unclear_call' // a call written as text that cannot be parsed
  | 'no_answer' // repeated calls instead of an answer
  | 'result_unused'; // an answer that ignores the result of the call
