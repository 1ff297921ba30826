/** Names by which the models of one family are known, in the name of a model. Merged and distilled models belong to several. */
const FAMILIES = {
  apertus: /apertus/,
  claude: /claude/,
  cohere: /command-?(?:r|a)|c4ai|\baya\b|cohere/,
  deepseek: /deepseek/,
  ernie: /ernie/,
  exaone: /exaone/,
  firefunction: /firefunction/,
  functionary: /functionary/,
  gemini: /gemini/,
  gemma: /gemma/,
  glm: /glm/,
  gpt: /\bgpt-|codex/,
  granite: /granite/,
  hermes: /hermes|\bnous\b/,
  hunyuan: /hunyuan/,
  internlm: /internlm/,
  jamba: /jamba/,
  kimi: /kimi|moonshot/,
  lfm: /\blfm/,
  llama: /llama/,
  longcat: /longcat/,
  minimax: /minimax/,
  mistral: /mi[sx]tral|ministral|codestral|devstral|magistral|pixtral/,
  nemotron: /nemotron/,
  olmo: /olmo/,
  phi: /\bphi-?\d/,
  qwen: /qwen|qwq/,
  seed: /\bseed/,
  smollm: /smollm/,
  step: /\bstep-?\d/,
  xlam: /xlam/,
} as const;

export type ModelFamily = keyof typeof FAMILIES;

/** Returns the families that a model belongs to, by its reference `provider/model`, `script:FILE` or `replay:FILE`; the provider does not matter. */
export function familiesOf(modelRef: string): ReadonlySet<ModelFamily> {
  const file = /^(?:script|replay):(?:.*[\\/])?(.*)$/s.exec(modelRef)?.[1];
  const name = (file ?? modelRef.slice(modelRef.indexOf('/') + 1)).toLowerCase();
  const entries = Object.entries(FAMILIES) as [ModelFamily, RegExp][];
  return new Set(entries.filter(([, pattern]) => pattern.test(name)).map(([family]) => family));
}
