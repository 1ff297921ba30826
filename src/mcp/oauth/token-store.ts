import {hash} from 'node:crypto';
import {mkdir, open, readFile, rename, rm} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {systemErrorCode} from '../../base/errors.ts';
import {parseJson} from '../../base/json.ts';
import {temporaryName} from '../../workspace/temporary-file.ts';

const CHALLENGE = z.object({
  /** Separated by spaces. */
  scope: z.optional(z.string()),
  /** Where the server says that its metadata is (RFC 9728). */
  resourceMetadataUrl: z.optional(z.string()),
});

const ACCESS = z.object({
  /** Who gave it out; nothing of it goes to another issuer. */
  issuer: z.string(),
  tokenEndpoint: z.string(),
  authMethods: z.optional(z.array(z.string())),
  /** The `resource` of RFC 8707, as the server spells it. */
  indicator: z.optional(z.string()),
  client: z.object({
    client_id: z.string(),
    client_secret: z.optional(z.string()),
    token_endpoint_auth_method: z.optional(z.string()),
  }),
  tokens: z.object({access_token: z.string(), refresh_token: z.optional(z.string()), scope: z.optional(z.string())}),
});

const STORED = z.object({resource: z.string(), accesses: z.array(ACCESS), wanted: z.optional(CHALLENGE)});

/** What one issuer granted for one server. */
export type Access = z.infer<typeof ACCESS>;
/** What a server asked for when it refused a request. */
export type Challenge = z.infer<typeof CHALLENGE>;

/** The logins of one server (its resource), one for each issuer. */
export interface TokenStore {
  /** The newest login. */
  access(): Promise<Access | undefined>;
  /** What the next login must ask for. */
  wanted(): Promise<Challenge | undefined>;
  /** Replaces the login at the same issuer; it is then the newest, and nothing is wanted. */
  save(access: Access): Promise<void>;
  want(challenge: Challenge): Promise<void>;
  /** True where there was something to forget. */
  forget(): Promise<boolean>;
}

/**
 * One file for each resource below the state folder, mode 0600, replaced as a whole. A file that cannot be understood, or that belongs to
 * another resource, counts as none: a login makes it anew.
 * @param resource The address of the server.
 */
export function openTokenStore(stateDir: string, resource: string): TokenStore {
  const folder = join(stateDir, 'mcp-logins');
  const file = join(folder, `${hash('sha256', resource)}.json`);

  const read = async (): Promise<z.infer<typeof STORED>> => {
    const found = STORED.safeParse(parsed(await textOf(file)));
    return found.success && found.data.resource === resource ? found.data : {resource, accesses: []};
  };
  const write = async (stored: z.infer<typeof STORED>): Promise<void> => {
    await mkdir(folder, {recursive: true, mode: 0o700});
    await replaceFile(folder, file, `${JSON.stringify(stored)}\n`);
  };

  return {
    access: async () => (await read()).accesses.at(-1),
    wanted: async () => (await read()).wanted,
    async save(access) {
      const {accesses} = await read();
      await write({resource, accesses: [...accesses.filter(({issuer}) => issuer !== access.issuer), access]});
    },
    async want(challenge) {
      await write({...(await read()), wanted: challenge});
    },
    async forget() {
      const had = (await textOf(file)) !== undefined;
      await rm(file, {force: true});
      return had;
    },
  };
}

async function replaceFile(folder: string, file: string, text: string): Promise<void> {
  const temporary = join(folder, temporaryName());
  try {
    const handle = await open(temporary, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (thrown) {
    await rm(temporary, {force: true});
    throw thrown;
  }
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if (systemErrorCode(thrown) === 'ENOENT') return undefined;
    throw thrown;
  }
}

function parsed(text: string | undefined): unknown {
  return text === undefined ? undefined : parseJson(text);
}
