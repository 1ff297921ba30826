import {isFettleError, systemErrorCode, toFettleError} from '../../base/errors.ts';
import type {ModelFailure} from '../provider.ts';
import {messageLine} from './server-message.ts';
import {StallError} from './stall-timeout.ts';

/** One attempt that failed. */
export interface Problem {
  readonly failure: Omit<ModelFailure, 'retries'>;
  /** True if sending the same request again can help. */
  readonly retryable: boolean;
  /** Milliseconds that the server asked to wait first. */
  readonly askedMs?: number | undefined;
  /** True if the server names the temperature of the request as the reason. */
  readonly refusesTemperature?: boolean | undefined;
}

/** The other side, as messages name it. */
export interface Peer {
  /** Name of the provider. */
  readonly provider: string;
  readonly wireModel: string;
  readonly baseUrl: string;
  /** Never shown; taken out of everything that the server says. */
  readonly key: string | undefined;
  /** The environment variable that holds the key, if there is one. */
  readonly keyVariable: string | undefined;
}

/** Returns a hint for a missing or wrong key. */
export function keyHint({keyVariable}: Peer): string {
  return keyVariable === undefined
    ? 'Name the environment variable with the key as `api_key_env` of this provider in the configuration.'
    : `Set ${keyVariable} to a valid key.`;
}

/** Hint for a conversation that does not fit. */
export const TOO_LONG_HINT =
  'Use --toolset small, send less text at once, or take a larger context or model. A window that the server names is remembered for the next run.';

/** Something was thrown: no connection, a broken one, silence, or a setting that no request can be made of. */
export function thrownProblem(thrown: unknown, peer: Peer): Problem {
  if (thrown instanceof StallError) {
    const message = `${peer.provider} was ${thrown.message}; the request was cut.`;
    return {
      failure: {
        code: 'TIMEOUT',
        message,
        hint: 'The server or the network hangs, or the server is loading a model: try again, or raise provider_limits.first_byte_s or between_events_s.',
      },
      retryable: true,
    };
  }
  if (isFettleError(thrown)) return {failure: {code: 'PROVIDER', message: `${peer.provider}: ${thrown.message}`}, retryable: false};
  const error = toFettleError(thrown);
  const message = `The connection to ${peer.provider} at ${peer.baseUrl} failed: ${messageLine(error.message || codeOf(thrown), peer.key)}`;
  if (thrown instanceof TypeError) return {failure: {code: 'CONFIG', message, hint: 'Check base URL, headers and key.'}, retryable: false};
  if (/CERT|SELF_SIGNED|VERIFY|^ERR_(?:TLS|SSL)/.test(codeOf(thrown))) {
    const hint = 'The certificate is not trusted; for a private authority set NODE_EXTRA_CA_CERTS.';
    return {failure: {code: 'PROVIDER', message, hint}, retryable: false};
  }
  return {failure: {code: 'PROVIDER', message, hint: systemErrorCode(thrown) === undefined ? undefined : error.hint}, retryable: true};
}

function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
}
