/**
 * Patterns of error messages for a conversation that does not fit into the context of the model. The group
 * `window` contains the size of the context if the message has it. Sources are the public error texts of each
 * server, as its documentation, its code or reports of its users show them.
 */
export const OVERFLOW_WORDINGS: readonly OverflowWording[] = [
  {provider: 'OpenAI, Azure, DeepSeek', wording: /context[_ ]length[_ ]exceeded/i, source: 'error code of Chat Completions and Responses'},
  {provider: 'OpenAI', wording: /exceeds the context window/i, source: 'Responses, status 400'},
  {
    provider: 'OpenAI, Azure, DeepSeek, vLLM, OpenRouter',
    wording: /maximum context length(?: is| of|:| =)\s*(?<window>[\d,]+)/i,
    source: 'Chat Completions, "This model\'s maximum context length is 8192 tokens"',
  },
  {
    provider: 'LiteLLM',
    wording: /ContextWindowExceeded(?:Error)?\b/i,
    source: 'litellm.exceptions, the class precedes the text of the backend',
  },
  {
    provider: 'LiteLLM, Fireworks, Novita',
    wording: /exceeds? (?:the )?(?:model(?:'?s)? )?max(?:imum)? context length(?: (?:of )?\(?(?<window>[\d,]+))?/i,
    source: 'proxies in front of vLLM and SGLang',
  },
  {
    provider: 'Mistral',
    wording: /too large for model with (?<window>[\d,]+) maximum context length/i,
    source: 'La Plateforme, status 400, type invalid_request_message_order or 3051',
  },
  {provider: 'any server', wording: /\bmax(?:imum)? (?:model )?context length\b/i, source: 'shortened forms of the wording of OpenAI'},
  {provider: 'Anthropic', wording: /prompt (?:is )?too long(?:: [\d,]+ tokens? > (?<window>[\d,]+))?/i, source: 'Messages, status 400'},
  {
    provider: 'Anthropic',
    wording: /exceed context limit(?:: [\d,]+ \+ [\d,]+ > (?<window>[\d,]+))?/i,
    source: 'Messages, input together with max_tokens',
  },
  {
    provider: 'Gemini, Vertex AI',
    wording: /token count \(?[\d,]*\)? ?exceeds the maximum(?: number of (?:input )?tokens(?: allowed)? \(?(?<window>[\d,]+))?/i,
    source: 'generateContent, status 400',
  },
  {provider: 'Vertex AI', wording: /input exceeds the maximum number of tokens/i, source: 'generateContent'},
  {
    provider: 'llama.cpp',
    wording: /exceed_context_size|available context size(?: \((?<window>[\d,]+))?/i,
    source: 'llama-server, error type exceed_context_size_error',
  },
  {provider: 'llama.cpp, LM Studio', wording: /context size has been exceeded/i, source: 'llama-server, during generation'},
  {
    provider: 'LM Studio',
    wording: /context the overflows(?:.*context length of (?:only )?(?<window>[\d,]+))?/is,
    source: 'LM Studio server',
  },
  {
    provider: 'LM Studio',
    wording: /n_keep:? ?(?:[\d,]+)? ?>= ?n_ctx(?:: ?(?:[\d,]+ >= )?(?<window>[\d,]+))?/i,
    source: 'LM Studio server, "n_keep: 4180 >= n_ctx: 4096"',
  },
  {
    provider: 'LM Studio',
    wording: /greater than the context length/i,
    source: 'LM Studio server',
  },
  {
    provider: 'Ollama',
    wording: /exceeds (?:the |maximum |available )*context length|exceeded (?:max(?:imum)? )?context length/i,
    source: 'server/routes, "input length exceeds the context length"; cloud, "prompt too long; exceeded max context length by N tokens"',
  },
  {provider: 'Ollama', wording: /input (?:length )?(?:is )?longer than (?:the )?context/i, source: 'llama runner'},
  {
    provider: 'xAI',
    wording: /maximum prompt length is (?<window>[\d,]+)/i,
    source: 'status 400, "…but the request contains 537812 tokens"',
  },
  {
    provider: 'Amazon Bedrock',
    wording: /input is too long(?: for (?:the |this |requested )*model|\.|$)/i,
    source: 'ValidationException of InvokeModel and Converse',
  },
  {
    provider: 'Amazon Bedrock',
    wording: /maximum number of input tokens(?:: (?<window>[\d,]+)|\s*$)/i,
    source: 'ValidationException, "…: 128000, requested input tokens: 145032"',
  },
  {
    provider: 'Amazon Bedrock',
    wording: /input tokens exceeded|too many input tokens/i,
    source: 'ValidationException of Nova and Cohere models',
  },
  {
    provider: 'GitHub Copilot',
    wording: /prompt token count of [\d,]+ exceeds the limit of (?<window>[\d,]+)|model_max_prompt_tokens_exceeded/i,
    source: 'status 400, code model_max_prompt_tokens_exceeded',
  },
  {
    provider: 'Together, SGLang',
    wording: /longer than the model'?s (?:maximum )?context length(?: \(?(?<window>[\d,]+))?/i,
    source: 'sglang tokenizer manager, "The input (9000 tokens) is longer than the model\'s context length (8192 tokens)"',
  },
  {
    provider: 'Together',
    wording: /tokens.{0,60}max_new_tokens`? must be <= (?<window>[\d,]+)/is,
    source: 'Together and TGI, status 422: "`inputs` tokens + `max_new_tokens` must be <= 4096"',
  },
  {
    provider: 'TGI',
    wording: /`inputs` must have less than (?<window>[\d,]+) tokens/i,
    source: 'text-generation-inference, ValidationError',
  },
  {
    provider: 'vLLM',
    wording: /longer than the maximum model length(?: of (?<window>[\d,]+))?/i,
    source: 'vllm engine, "The decoder prompt (length 8357) is longer than the maximum model length of 8192"',
  },
  {
    provider: 'vLLM',
    wording: /context length is only (?<window>[\d,]+)|maximum input length of (?<second>[\d,]+) tokens/i,
    source: 'vllm entrypoints, where max_tokens leaves too little',
  },
  {
    provider: 'Kimi',
    wording: /exceeded model token limit(?:: (?<window>[\d,]+))?/i,
    source: 'Moonshot, "Your request exceeded model token limit: 262144 (requested: 291351)"',
  },
  {provider: 'Z.ai', wording: /prompt exceeds max length|model_context_window_exceeded|^1261\b/i, source: 'error code 1261; finish_reason'},
  {provider: 'Z.ai', wording: /prompt\s*超长|输入长度超过|超过最大长度/i, source: 'error code 1261, in Chinese'},
  {
    provider: 'MiniMax',
    wording: /context window exceeds limit/i,
    source: 'status code 2013, "invalid params, context window exceeds limit"',
  },
  {
    provider: 'Cohere',
    wording: /tokens in the prompt cannot exceed (?<window>[\d,]+)/i,
    source: '"too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4292"',
  },
  {
    provider: 'Cohere',
    wording: /too many tokens: (?:size limit exceeded|minimal context|multi-hop)(?:.*limit for this model is (?<window>[\d,]+))?/is,
    source: 'Chat, type TOO_MANY_TOKENS',
  },
  {
    provider: 'Groq, Cerebras',
    wording:
      /reduce the length of (?:the |your )?(?:messages|prompt|input)(?:.*current length is [\d,]+ while limit is (?<window>[\d,]+))?/is,
    source: 'status 400, code context_length_exceeded',
  },
  {
    provider: 'OpenRouter, Poolside',
    wording: /maximum allowed input length of (?<window>[\d,]+)/i,
    source: '"Input length 131393 exceeds the maximum allowed input length of 131040 tokens"',
  },
  {
    provider: 'DashScope (Qwen)',
    wording: /range of input length should be \[\s*\d+\s*,\s*(?<window>[\d,]+)/i,
    source: 'InvalidParameter, status 400',
  },
  {
    provider: 'several gateways',
    wording: /configured context size is (?<window>[\d,]+)|context window of (?<second>[\d,]+) tokens/i,
    source: 'local gateways',
  },
  {provider: 'several gateways', wording: /context[_ ]window[_ ]exceeded|total length of all messages is too long/i, source: 'gateways'},
  {
    provider: 'several gateways',
    wording:
      /(?:input|prompt|request|messages?) (?:has |contains |with )?(?:too many tokens|exceeds? (?:the )?(?:model'?s? )?(?:input )?token limit)/i,
    source: 'gateways',
  },
];

export interface OverflowWording {
  readonly provider: string;
  readonly wording: RegExp;
  readonly source: string;
}

/** Refusals that use the same words and that a shorter conversation does not cure: stronger than {@link OVERFLOW_WORDINGS}. */
export const OTHER_LIMITS: readonly RegExp[] = [
  /tokens? per (?:minute|min|day|hour|second)|\b(?:TPM|TPD|RPM)\b/i,
  /\brate[ _-]?limit|too many requests|throttl/i,
  /quota|billing|credit balance|insufficient[_ ](?:credit|balance|funds)/i,
  /too many tokens, please wait/i, // Bedrock, ThrottlingException
  /max(?:imum)?[_ ](?:completion_|output_|new_)?tokens\b[^.]{0,40}\b(?:too large|must be (?:less|at most|between)|maximum (?:allowed )?(?:number of )?output|exceeds? the (?:limit|maximum))/i,
  /max tokens must be less than or equal to/i, // Cohere: of the output
  /maximum (?:allowed )?number of output tokens/i, // Anthropic, Bedrock: max_tokens
  /supports at most [\d,]+ completion tokens/i, // OpenAI: max_tokens
  /\b(?:image|images|audio|video|file|pdf|attachment|document)s?\b[^.]{0,60}\b(?:too large|too long|too many|exceeds?|dimensions?|maximum)/i,
  /\b(?:string|description|name|tool_call_id|user|metadata|property)\b[^.]{0,40}\btoo long\b/i, // OpenAI: one field, not the conversation
  /too many tools|maximum number of (?:tools|functions|items|messages)/i,
  /number of stop sequences|array too long/i,
];
