import {hash} from 'node:crypto';
import {rm} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {parseJson} from '../../base/json.ts';
import {rememberSecrets} from '../../base/redact.ts';
import {readPrivateFile, writePrivateFile} from '../../config/private-file.ts';
import {inTurn} from '../../sessions/process-lock.ts';

const CHALLENGE = z.object({
  /** Separated by spaces. */
  scope: z.optional(z.string()),
  /** Address of the resource metadata, as the server gave it (RFC 9728). */
  resourceMetadataUrl: z.optional(z.string()),
});

const ACCESS = z.object({
  /** The issuer that granted it; nothing of it goes to another issuer. */
  issuer: z.string(),
  tokenEndpoint: z.string(),
  authMethods: z.optional(z.array(z.string())),
  /** The `resource` of RFC 8707, exactly as the server writes it. */
  indicator: z.optional(z.string()),
  client: z.object({
    client_id: z.string(),
    client_secret: z.optional(z.string()),
    token_endpoint_auth_method: z.optional(z.string()),
  }),
  tokens: z.object({access_token: z.string(), refresh_token: z.optional(z.string()), scope: z.optional(z.string())}),
});

const STORED = z.object({resource: z.string(), accesses: z.array(ACCESS), wanted: z.optional(CHALLENGE)});

/** The grant of one issuer for one server. */
export type Access = z.infer<typeof ACCESS>;
/** The requirements that a server named when it refused a request. */
export type Challenge = z.infer<typeof CHALLENGE>;

/** The logins of one server (its resource), one for each issuer. */
export interface TokenStore {
  /** The newest login. */
  access(): Promise<Access | undefined>;
  /** Resolves to the challenge that the next login must satisfy. */
  wanted(): Promise<Challenge | undefined>;
  /** Replaces the login at the same issuer; it is then the newest, and nothing is wanted. */
  save(access: Access): Promise<void>;
  want(challenge: Challenge): Promise<void>;
  /**
   * Replaces the newest login by the result of `renew`, while no other process reads or writes it for renewal: a
   * refresh token that is sent twice ends the login. Nothing is replaced if `renew` returns undefined.
   */
  renew(renew: (access: Access | undefined) => Promise<Access | undefined>): Promise<void>;
  /** True if there was something to forget. */
  forget(): Promise<boolean>;
}

/**
 * One file for each resource below the state folder, mode 0600, replaced as a whole. A file that cannot be understood, or that belongs to
 * another resource, counts as missing: a login creates it again.
 * @param resource The address of the server.
 */
export function openTokenStore(stateDir: string, resource: string): TokenStore {
  const name = hash('sha256', resource);
  const file = join(stateDir, 'mcp-logins', `${name}.json`);
  const lock = join(stateDir, 'mcp-turns', name);

  const read = async (): Promise<z.infer<typeof STORED>> => {
    const found = STORED.safeParse(parsed(await readPrivateFile(file)));
    const stored = found.success && found.data.resource === resource ? found.data : {resource, accesses: []};
    rememberSecrets(stored.accesses.flatMap(secretsOf));
    return stored;
  };
  const write = async (stored: z.infer<typeof STORED>): Promise<void> => {
    rememberSecrets(stored.accesses.flatMap(secretsOf));
    await writePrivateFile(file, `${JSON.stringify(stored)}\n`);
  };

  const saveNow = async (access: Access): Promise<void> => {
    const {accesses} = await read();
    await write({resource, accesses: [...accesses.filter(({issuer}) => issuer !== access.issuer), access]});
  };

  return {
    access: async () => (await read()).accesses.at(-1),
    wanted: async () => (await read()).wanted,
    save: async (access) => await inTurn(lock, async () => await saveNow(access)),
    want: async (challenge) => await inTurn(lock, async () => await write({...(await read()), wanted: challenge})),
    renew: async (renew) =>
      await inTurn(lock, async () => {
        const renewed = await renew((await read()).accesses.at(-1));
        if (renewed !== undefined) await saveNow(renewed);
      }),
    forget: async () =>
      await inTurn(lock, async () => {
        const had = (await readPrivateFile(file)) !== undefined;
        await rm(file, {force: true});
        return had;
      }),
  };
}

/** Lists the secrets that must not get into any log. */
function secretsOf({tokens, client}: Access): string[] {
  return [tokens.access_token, tokens.refresh_token ?? '', client.client_secret ?? ''];
}

function parsed(text: string | undefined): unknown {
  return text === undefined ? undefined : parseJson(text);
}
