import * as z from 'zod/mini';

type Shape<T> = {readonly data: T; readonly problems?: undefined} | {readonly problems: readonly string[]};

/** Returns the value as the schema describes it, or the mismatches, each as `place: problem`. For a union, the nearest alternative counts. */
export function readShape<T>(schema: z.ZodMiniType<T>, value: unknown): Shape<T> {
  const parsed = schema.safeParse(value, {error: describe});
  return parsed.success ? {data: parsed.data} : {problems: parsed.error.issues.flatMap((issue) => flatten(issue, []))};
}

type Issue = z.core.$ZodIssue;

function flatten(issue: Issue, above: readonly PropertyKey[]): readonly string[] {
  const path = [...above, ...issue.path];
  const nearest = issue.code === 'invalid_union' ? issue.errors.toSorted((a, b) => distance(a) - distance(b))[0] : undefined;
  return nearest?.flatMap((inner) => flatten(inner, path)) ?? [`${path.join('.') || 'body'}: ${issue.message}`];
}

/** Measures how far a value is from one alternative of a union: another type, or another kind of object, is farthest. */
function distance(issues: readonly Issue[]): number {
  const other = issues.some((issue) => {
    return issue.code === 'invalid_type' ? issue.path.length === 0 : issue.code === 'invalid_union' && issue.errors.length === 0;
  });
  return other ? Number.MAX_SAFE_INTEGER : issues.length;
}

function describe(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be of type ${issue.expected}`;
    case 'unrecognized_keys':
      return `unknown ${issue.keys.length === 1 ? 'key' : 'keys'} ${issue.keys.join(', ')}`;
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
    case 'invalid_format':
      return `must match ${issue.pattern}`;
    case 'invalid_union':
      return 'is of no known kind';
    case 'custom':
      return 'requires a property that does not exist';
    default:
      return `is not allowed (${issue.code})`;
  }
}

/** A tool's JSON Schema: the formats want an object whose required properties exist. */
export const ToolParameters = z
  .looseObject({
    type: z.literal('object'),
    properties: z.optional(z.record(z.string(), z.unknown())),
    required: z.optional(z.array(z.string())),
  })
  .check(z.refine(({properties = {}, required = []}) => required.every((name) => name in properties)));

export const ToolName = z.string().check(z.regex(/^[a-zA-Z0-9_-]{1,64}$/));

/** Names that occur twice. */
export function duplicates(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => names.indexOf(name) !== index).map((name) => `tools: two of them are called ${name}`);
}
