import * as z from 'zod/mini';
import type {ReceivedRequest} from '../scenario.ts';
import {pairingProblems} from './pairing.ts';
import {duplicates, readShape, ToolParameters} from './shape.ts';
import {signatureOf} from './signature.ts';

/** Lists violations of the Gemini API: unknown keys, roles that do not alternate, calls without their signature, results without calls. */
export function geminiProblems({body}: ReceivedRequest): readonly string[] {
  const shape = readShape(Request, body);
  if (shape.problems !== undefined) return shape.problems;
  const {contents, tools = []} = shape.data;
  return [
    ...duplicates(tools.flatMap(({functionDeclarations}) => functionDeclarations.map(({name}) => name))),
    ...alternation(contents),
    ...contents.flatMap((content, at) => signatureProblems(content, `contents.${at}`)),
    ...pairingProblems(contents.map(toPairing)),
  ];
}

/** Returns the signature that the server puts on a call, and on a text. */
export function callSignature(name: string, args: unknown): string {
  return signatureOf(`${name}${JSON.stringify(args)}`);
}

export function textSignature(text: string): string {
  return signatureOf(text);
}

const Args = z.record(z.string(), z.unknown());
const Name = z.string().check(z.regex(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/));
const signed = {thought: z.optional(z.boolean()), thoughtSignature: z.optional(z.string())};

const Part = z.union([
  z.strictObject({text: z.string(), ...signed}),
  z.strictObject({functionCall: z.strictObject({id: z.optional(z.string()), name: Name, args: z.optional(Args)}), ...signed}),
  z.strictObject({functionResponse: z.strictObject({id: z.optional(z.string()), name: Name, response: Args})}),
]);

const Content = z.strictObject({role: z.enum(['user', 'model']), parts: z.array(Part).check(z.minLength(1))});
type Content = z.infer<typeof Content>;

const Declaration = z.strictObject({name: Name, description: z.optional(z.string()), parametersJsonSchema: ToolParameters});

const Request = z.strictObject({
  contents: z.array(Content).check(z.minLength(1)),
  systemInstruction: z.optional(z.strictObject({parts: z.array(z.strictObject({text: z.string()})).check(z.minLength(1))})),
  tools: z.optional(z.array(z.strictObject({functionDeclarations: z.array(Declaration)}))),
  toolConfig: z.optional(z.looseObject({})),
  safetySettings: z.optional(z.array(z.unknown())),
  cachedContent: z.optional(z.string()),
  generationConfig: z.optional(
    z.strictObject({
      maxOutputTokens: z.optional(z.int()),
      temperature: z.optional(z.number()),
      topP: z.optional(z.number()),
      topK: z.optional(z.number()),
      seed: z.optional(z.int()),
      responseLogprobs: z.optional(z.boolean()),
      logprobs: z.optional(z.int()),
      stopSequences: z.optional(z.array(z.string())),
      responseMimeType: z.optional(z.string()),
      responseJsonSchema: z.optional(z.record(z.string(), z.unknown())),
      thinkingConfig: z.optional(
        z.strictObject({
          includeThoughts: z.optional(z.boolean()),
          thinkingLevel: z.optional(z.string()),
          thinkingBudget: z.optional(z.int()),
        }),
      ),
    }),
  ),
});

function alternation(contents: readonly Content[]): readonly string[] {
  const wrong = contents.flatMap(({role}, at) =>
    role === (at % 2 === 0 ? 'user' : 'model') ? [] : [`contents.${at}: roles must alternate`],
  );
  return contents.at(-1)?.role === 'user' ? wrong : [...wrong, 'contents: the last one must be of the user'];
}

/** Google's documented value for calls that another model made. */
const UNSIGNED = 'skip_thought_signature_validator';

function signatureProblems({parts}: Content, place: string): readonly string[] {
  const first = parts.findIndex((part) => 'functionCall' in part);
  return parts.flatMap((part, index) => {
    if ('functionResponse' in part) return [];
    const at = `${place}.parts.${index}`;
    const signature = part.thoughtSignature;
    if (signature === undefined) return index === first ? [`${at}: Function call is missing a thought_signature`] : [];
    const expected = 'text' in part ? textSignature(part.text) : callSignature(part.functionCall.name, part.functionCall.args);
    return signature === expected || signature === UNSIGNED ? [] : [`${at}: Corrupted thought signature`];
  });
}

/** Calls and results belong together by id, or by name if the call had no id. */
function toPairing({role, parts}: Content, at: number) {
  const calls = parts.flatMap((part) => ('functionCall' in part ? [part.functionCall] : []));
  const results = parts.flatMap((part) => ('functionResponse' in part ? [part.functionResponse] : []));
  const key = ({id, name}: {id?: string | undefined; name: string}): string => id ?? name;
  return role === 'model' ? {place: `contents.${at}`, calls: calls.map(key)} : {place: `contents.${at}`, results: results.map(key)};
}
