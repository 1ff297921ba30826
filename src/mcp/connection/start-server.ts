import {FettleError, toFettleError} from '../../base/errors.ts';
import type {McpServer} from '../../config/settings.ts';
import type {Tool} from '../../tools/toolset.ts';
import {cleanLine} from '../clean-text.ts';
import {openConnection, type ServerConnection} from './connection.ts';
import {fingerprintInstructions, fingerprintTool, type Fingerprint} from '../trust/fingerprint.ts';
import {createHttpTransport} from './http-transport.ts';
import {offeredTools, type OfferedTools} from '../tools/offered-tools.ts';
import {reviewServer, type ServerChange, type ServerReview} from '../trust/review-server.ts';
import type {ServerPlace} from './server-place.ts';

/** Says whether changes of a server are accepted. */
export type Accepts = (changes: readonly ServerChange[]) => Promise<boolean>;

export interface StartRequest {
  readonly server: McpServer;
  readonly place: ServerPlace;
  /** undefined: nobody can be asked, and changes are withheld. */
  readonly accepts: Accepts | undefined;
  /** False: nothing is stored, not even about a server that was never used. */
  readonly remembers: boolean;
}

/** A running server, reduced to the parts that a person has accepted. */
export interface StartedServer {
  readonly connection: ServerConnection;
  /** Those that are as accepted, by name. */
  readonly tools: readonly Tool[];
  /** The others: they are there and may not be called. */
  readonly withheld: readonly Tool[];
  /** Changes that were not accepted. */
  readonly changes: readonly ServerChange[];
  /** Empty if they were not accepted. */
  readonly instructions: string;
  readonly notices: readonly string[];
}

/** A server that was not started: its definition has changed. */
export interface RefusedServer {
  readonly connection: undefined;
  readonly changes: readonly ServerChange[];
}

/**
 * Starts a server whose definition a person accepted, and publishes those of its tools and instructions that are as accepted. On first use,
 * everything counts as accepted by being configured. Throws the error that keeps it from working.
 */
export async function startServer(request: StartRequest, signal: AbortSignal): Promise<StartedServer | RefusedServer> {
  const {server, place, accepts = async () => false} = request;
  if (server.transport === 'http') createHttpTransport(server, place); // unusable tools need no decision of a person
  const review = await reviewServer(server, place);
  const {definition} = review;
  if (definition !== undefined && !(await accepts([definition]))) return {connection: undefined, changes: [definition]};
  const connection = await openConnection({server, place}, signal);
  try {
    return await reviewed({...request, accepts, connection, review});
  } catch (thrown) {
    await connection.close();
    throw thrown;
  }
}

interface Reviewing extends StartRequest {
  readonly accepts: Accepts;
  readonly connection: ServerConnection;
  readonly review: ServerReview;
}

async function reviewed({server, connection, review, accepts, remembers}: Reviewing): Promise<StartedServer> {
  const published = offeredTools(server, connection);
  const parts = partsOf(connection, published);
  const changed = await review.changed(parts);
  const changes = changed.length > 0 && !(await accepts(changed)) ? changed : [];
  const isOpen = (part: Fingerprint): boolean => changes.some(({now}) => now === part);
  const problem = remembers ? await remember(review, {server, parts: parts.filter((part) => !isOpen(part))}) : [];
  const refused = new Set(changes.map(({now}) => (now.kind === 'tool' ? now.name : undefined)));
  return {
    connection,
    tools: published.tools.filter(({listed}) => !refused.has(listed.name)).map(({tool}) => tool),
    withheld: published.tools.filter(({listed}) => refused.has(listed.name)).map(({tool}) => tool),
    changes,
    instructions: changes.some(({now}) => now.kind === 'instructions') ? '' : connection.instructions,
    notices: [...published.notices, ...problem],
  };
}

function partsOf({instructions}: ServerConnection, {tools}: OfferedTools): Fingerprint[] {
  const said = instructions.trim() === '' ? [] : [fingerprintInstructions(instructions)];
  return [...said, ...tools.map(({listed}) => fingerprintTool(listed))];
}

interface Remembered {
  readonly server: McpServer;
  readonly parts: readonly Fingerprint[];
}

/** Records the state of a server, and reports if it cannot be saved: a change would go unnoticed. */
async function remember(review: ServerReview, {server, parts}: Remembered): Promise<string[]> {
  try {
    await review.accept(parts);
    return [];
  } catch (thrown) {
    const why = cleanLine(toFettleError(thrown).message, 300);
    return [`MCP server ${server.name}: its state cannot be saved, and changes will not be noticed: ${why}`];
  }
}

/** Explains why something is withheld, and what to do. */
export function withheldError(server: string, changes: readonly ServerChange[]): FettleError {
  const shown = changes.slice(0, 5).map(({what}) => cleanLine(what, 200));
  const more = changes.length - shown.length;
  const named = `${shown.join('; ')}${more > 0 ? `; ${more} more` : ''}`;
  const isDefinition = changes.some(({now}) => now.kind === 'definition');
  return new FettleError({
    code: 'DENIED',
    message: `MCP server ${server}: not as it was accepted: ${named}. ${isDefinition ? 'It is not started.' : 'This is withheld.'}`,
    hint: `\`fettle mcp test ${server}\` shows the difference, \`fettle mcp accept ${server}\` accepts it.`,
  });
}
