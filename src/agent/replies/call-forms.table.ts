import type {ReadCalls} from './call-reader.ts';
import {
  argumentPairs,
  bareJsonCalls,
  between,
  escapedCall,
  fencedJsonCalls,
  functionJson,
  functionTags,
  invokeTags,
  jsonCalls,
  keyedJsonCalls,
  mark,
  namedJson,
  printedPython,
  pythonCalls,
  pythonList,
  reActCall,
  several,
  toolTags,
} from './call-syntax.ts';
import type {ModelFamily} from './model-family.ts';

/** A form in which models write tool calls into their text if the server does not parse them. */
export interface CallForm {
  /** Documentation of the form, or the parser of a server that reads it. */
  readonly source: string;
  /** Families that are known to write it. */
  readonly families: readonly ModelFamily[];
  /** Sticky pattern of its beginning. */
  readonly opens: RegExp;
  readonly read: ReadCalls;
  /** True: ordinary answers look like this too. Only the name of a tool makes it a call. */
  readonly isCommon?: true;
}

const STEP_TAG = 'steptml:';
const DSML = '｜DSML｜';
const ANTML = '(?:antml:)?';

/** The first form that reads a text decides; forms with the same beginning are adjacent. */
export const CALL_FORMS: readonly CallForm[] = [
  {
    source: 'Hermes function calling: <tool_call>; vLLM parsers hermes, granite, ernie45; Qwen 2.5 and 3 chat templates',
    families: ['hermes', 'qwen', 'ernie', 'exaone', 'granite', 'smollm', 'lfm'],
    opens: /<tool_call>\s*[[{]/y,
    read: between(mark('<tool_call>'), mark('</tool_call>'), several(jsonCalls)),
  },
  {
    source: 'Qwen3-Coder chat template; vLLM parser qwen3_coder; Step 3.5, Nemotron 3',
    families: ['qwen', 'step', 'nemotron'],
    opens: /<tool_call>\s*<function=[^>]{1,200}>/y,
    read: between(mark('<tool_call>'), mark('</tool_call>'), several(functionTags)),
  },
  {
    source: 'GLM 4.5 chat template; vLLM parser glm45',
    families: ['glm'],
    opens: /<tool_call>\s*[\w.:-]{1,100}\s*(?:<arg_key>|<\/tool_call>)/y,
    read: between(mark('<tool_call>'), mark('</tool_call>'), several(argumentPairs)),
  },
  {
    source: 'Hunyuan A13B chat template; vLLM parser hunyuan_a13b',
    families: ['hunyuan'],
    opens: /<tool_calls>\s*<tool_call>/y,
    read: between(
      mark('<tool_calls>'),
      mark('</tool_calls>'),
      between(mark('<tool_call>'), mark('</tool_call>'), namedJson(/([\w.:-]+)\s*(?=```|\{)/y)),
    ),
  },
  {
    source: 'Jamba 1.5 chat template; vLLM parsers jamba, minimax (M1)',
    families: ['jamba', 'minimax', 'hunyuan'],
    opens: /<tool_calls>\s*[[{]/y,
    read: between(mark('<tool_calls>'), mark('</tool_calls>'), several(jsonCalls)),
  },
  {
    source: 'Llama 3.1 user-defined custom tool calling; Functionary 3.1',
    families: ['llama', 'functionary'],
    opens: /<function=[^>]{1,200}>\s*\{/y,
    read: several(functionJson),
  },
  {
    source: 'Qwen3-Coder without its outer tag',
    families: ['qwen', 'step', 'nemotron'],
    opens: /<function=[^>]{1,200}>/y,
    read: several(functionTags),
  },
  {
    source: 'Llama 3.1 built-in tools: <|python_tag|>; vLLM parser llama3_json',
    families: ['llama'],
    opens: /<\|python_tag\|>/y,
    read: between(mark('<\\|python_tag\\|>'), mark('<\\|e(?:om|ot)_id\\|>'), (reader) =>
      reader.text[reader.at] === '{' ? bareJsonCalls(reader) : pythonCalls(reader),
    ),
  },
  {
    source: 'Llama 4 and 3.2 pythonic calls, between tags; LFM2 chat template',
    families: ['llama', 'lfm'],
    opens: /<\|(?:python_start|tool_call_start)\|>/y,
    read: between(mark('<\\|(?:python_start|tool_call_start)\\|>'), mark('<\\|(?:python_end|tool_call_end)\\|>'), pythonList),
  },
  {
    source: 'Mistral tokenizers v3 to v7; vLLM parser mistral',
    families: ['mistral'],
    opens: /\[TOOL_CALLS\]\s*[[{]/y,
    read: between(mark('\\[TOOL_CALLS\\]'), mark('</s>'), jsonCalls),
  },
  {
    source: 'Mistral tokenizers v11 and v13',
    families: ['mistral'],
    opens: /\[TOOL_CALLS\]\s*[\w.:-]{1,100}/y,
    read: several(namedJson(/\s*\[TOOL_CALLS\]\s*([\w.:-]+)\s*(?:\[CALL_ID\][\w-]*)?(?:\[ARGS\])?\s*/y)),
  },
  {
    source: 'DeepSeek V3 and R1 chat templates; vLLM parsers deepseek_v3, deepseek_v31',
    families: ['deepseek'],
    opens: /<｜tool▁calls?▁begin｜>/y,
    read: between(
      mark('<｜tool▁calls▁begin｜>|(?=<｜tool▁call▁begin｜>)'),
      mark('<｜tool▁calls▁end｜>'),
      between(
        mark('<｜tool▁call▁begin｜>'),
        mark('<｜tool▁call▁end｜>'),
        namedJson(/(?:function<｜tool▁sep｜>)?([\w.:-]+)(?:<｜tool▁sep｜>|\s*(?=```))\s*/y),
      ),
    ),
  },
  {
    source: 'DeepSeek V3.2 DSML',
    families: ['deepseek'],
    opens: new RegExp(`<${DSML}(?:function_calls|tool_calls|invoke)\\b`, 'y'),
    read: between(
      mark(`<${DSML}(?:function_calls|tool_calls)>|(?=<${DSML}invoke)`),
      mark(`</${DSML}(?:function_calls|tool_calls)>`),
      several(invokeTags(DSML)),
    ),
  },
  {
    source: 'Kimi K2 chat template; vLLM parser kimi_k2',
    families: ['kimi'],
    opens: /<\|tool_calls?_(?:section_)?begin\|>/y,
    read: between(
      mark('<\\|tool_calls_section_begin\\|>|(?=<\\|tool_call_begin\\|>)'),
      mark('<\\|tool_calls_section_end\\|>'),
      between(mark('<\\|tool_call_begin\\|>'), mark('<\\|tool_call_end\\|>'), namedJson(/([\w.:-]+)\s*<\|tool_call_argument_begin\|>\s*/y)),
    ),
  },
  {
    source: 'MiniMax M2 chat template; vLLM parser minimax_m2',
    families: ['minimax'],
    opens: /<minimax:tool_call>/y,
    read: between(mark('<minimax:tool_call>'), mark('</minimax:tool_call>'), several(invokeTags(''))),
  },
  {
    source: 'Anthropic, tool use in prompts: <function_calls>',
    families: ['claude'],
    opens: /<(?:antml:)?function_calls>\s*<(?:antml:)?invoke\b/y,
    read: between(mark(`<${ANTML}function_calls>`), mark(`</${ANTML}function_calls>`), several(invokeTags(ANTML))),
  },
  {
    source: 'Anthropic form without its outer tag',
    families: ['claude', 'minimax'],
    opens: /<(?:antml:)?invoke\s+name=/y,
    read: several(invokeTags(ANTML)),
  },
  {
    source: 'OLMo 3 chat template; vLLM parser olmo3',
    families: ['olmo'],
    opens: /<function_calls>\s*[\w.]+\(/y,
    read: between(mark('<function_calls>'), mark('</function_calls>'), pythonCalls),
  },
  {
    source: 'OpenAI Harmony: tool calls on the commentary channel',
    families: ['gpt'],
    opens:
      /(?:<\|start\|>assistant)?<\|channel\|>(?:commentary|analysis)|(?:<\|start\|>)?(?:assistant)?(?:<\|channel\|>)?(?:commentary|analysis)?\s*to=functions\./y,
    read: several(
      namedJson(
        /\s*(?:<\|call\|>)?\s*(?:(?:<\|start\|>assistant)?<\|channel\|>analysis<\|message\|>[^]{0,100000}?<\|end\|>)?(?:<\|start\|>)?(?:assistant)?\s*(?:<\|channel\|>)?(?:commentary|analysis)?\s*to=functions\.([\w.-]+)\s*(?:<\|channel\|>(?:commentary|analysis))?\s*(?:<\|constrain\|>)?\s*(?:json|code)?\s*(?:<\|message\|>)?\s*/y,
      ),
    ),
  },
  {
    source: 'Granite 3 and Phi-4-mini chat templates: <|tool_call|>',
    families: ['granite', 'phi'],
    opens: /<\|tool_calls?\|>\s*[[{]/y,
    read: between(mark('<\\|tool_calls?\\|>'), mark('<\\|/tool_calls?\\|>'), jsonCalls),
  },
  {
    source: 'Phi-4-mini and FireFunction: functools[…]',
    families: ['phi', 'firefunction'],
    opens: /functools\s*\[/y,
    read: between(mark('functools'), mark('</s>'), jsonCalls),
  },
  {
    source: 'Command R+ and A chat templates: <|START_ACTION|>',
    families: ['cohere'],
    opens: /<\|START_(?:ACTION|THINKING)\|>/y,
    read: between(
      mark('(?:<\\|START_THINKING\\|>[^]*?<\\|END_THINKING\\|>\\s*)?<\\|START_ACTION\\|>'),
      mark('<\\|END_ACTION\\|>'),
      jsonCalls,
    ),
  },
  {
    source: 'Command R tool use prompt: Action: ```json',
    families: ['cohere'],
    opens: /Action:\s*```json\s*\[/y,
    read: between(mark('Action:\\s*```json'), mark('```'), jsonCalls),
    isCommon: true,
  },
  {
    source: 'Functionary 2.4 prompt template',
    families: ['functionary'],
    opens: /(?:<\|from\|>assistant\n)?<\|recipient\|>/y,
    read: several(namedJson(/\s*(?:<\|from\|>assistant\n)?<\|recipient\|>\s*([\w.:-]+)\n<\|content\|>\s*/y)),
  },
  {
    source: 'Functionary 3.2 prompt template',
    families: ['functionary'],
    opens: />>>[\w.:-]+\n\s*\{/y,
    read: several(namedJson(/\s*>>>([\w.:-]+)\n\s*/y)),
    isCommon: true,
  },
  {
    source: 'InternLM 2.5 chat format; vLLM parser internlm',
    families: ['internlm'],
    opens: /<\|action_start\|>/y,
    read: between(mark('<\\|action_start\\|>\\s*<\\|plugin\\|>'), mark('<\\|action_end\\|>'), jsonCalls),
  },
  {
    source: 'Nemotron Nano 2 chat template: <TOOLCALL>',
    families: ['nemotron'],
    opens: /<TOOLCALL>/y,
    read: between(mark('<TOOLCALL>'), mark('</TOOLCALL>'), jsonCalls),
  },
  {
    source: 'Seed-OSS chat template; vLLM parser seed_oss',
    families: ['seed'],
    opens: /<seed:tool_call>/y,
    read: between(mark('<seed:tool_call>'), mark('</seed:tool_call>'), several(functionTags)),
  },
  {
    source: 'Step 3 chat template; vLLM parser step3',
    families: ['step'],
    opens: /<｜tool_calls?_begin｜>/y,
    read: between(
      mark('<｜tool_calls_begin｜>|(?=<｜tool_call_begin｜>)'),
      mark('<｜tool_calls_end｜>'),
      between(mark('<｜tool_call_begin｜>\\s*(?:function)?\\s*<｜tool_sep｜>'), mark('<｜tool_call_end｜>'), several(invokeTags(STEP_TAG))),
    ),
  },
  {
    source: 'LongCat chat template; vLLM parser longcat',
    families: ['longcat'],
    opens: /<longcat_tool_call>/y,
    read: between(mark('<longcat_tool_call>'), mark('</longcat_tool_call>'), jsonCalls),
  },
  {
    source: 'Apertus chat template: <|tools_prefix|>',
    families: ['apertus'],
    opens: /<\|tools_prefix\|>/y,
    read: between(mark('<\\|tools_prefix\\|>'), mark('<\\|tools_suffix\\|>'), keyedJsonCalls),
  },
  {
    source: 'FunctionGemma: <start_function_call>',
    families: ['gemma'],
    opens: /<start_function_call>/y,
    read: between(mark('<start_function_call>'), mark('<end_function_call>'), several(escapedCall)),
  },
  {
    source: 'Gemma and Gemini: a block of tool_code',
    families: ['gemma', 'gemini'],
    opens: /```tool_code\s/y,
    read: between(mark('```tool_code'), mark('```'), printedPython),
  },
  {
    source: 'Gemini: tool_code without a fence',
    families: ['gemini'],
    opens: /tool_code\n\s*(?:print\()?[\w.]+\(/y,
    read: between(mark('tool_code'), mark('thought|$'), printedPython),
    isCommon: true,
  },
  {
    source: 'Llama 3.1 JSON calls, xLAM, Gemma prompts: JSON alone',
    families: ['llama', 'xlam', 'gemma'],
    opens: /[[{]\s*[{"]/y,
    read: bareJsonCalls,
    isCommon: true,
  },
  {
    source: 'Llama 3.2 and 4 pythonic calls, Gemma 3 prompts; vLLM parser pythonic',
    families: ['llama', 'gemma'],
    opens: /\[\s*[A-Za-z_][\w.]*\(/y,
    read: pythonList,
    isCommon: true,
  },
  {
    source: 'Qwen 2.5 Coder, Phi and Gemma: JSON in a code fence',
    families: ['qwen', 'phi', 'gemma'],
    opens: /```(?:json|tool_call|tool_calls|tool|xml)?[ \t]*\n\s*[[{]/y,
    read: several(fencedJsonCalls),
    isCommon: true,
  },
  {
    source: 'Gemini: default_api in a block of Python',
    families: ['gemini', 'gemma'],
    opens: /```(?:python|py)\s+(?:print\()?default_api\./y,
    read: between(mark('```(?:python|py)'), mark('```'), printedPython),
    isCommon: true,
  },
  {
    source: 'JSON in a tag that no family is known for: <function_call>, <tool_use>, <tools>',
    families: [],
    opens: /<(?:function_call|function|tool_use|use_tool|tools?|tool_code|action|call)>\s*[[{]/y,
    read: between(
      mark('<(?:function_call|function|tool_use|use_tool|tools?|tool_code|action|call)>'),
      mark('</(?:function_call|function|tool_use|use_tool|tools?|tool_code|action|call)>'),
      several(jsonCalls),
    ),
  },
  {
    source: 'Python in the tag of Hermes',
    families: [],
    opens: /<tool_call>\s*[\w.]+\(/y,
    read: between(mark('<tool_call>'), mark('</tool_call>'), pythonCalls),
  },
  {
    source: 'Prompts of agents that name a tag for each tool',
    families: [],
    opens: /<[a-z]\w{0,60}>\s*<[a-z]\w{0,60}>/y,
    read: several(toolTags),
    isCommon: true,
  },
  {
    source: 'A call of Python alone',
    families: [],
    opens: /[a-z][\w.]{0,60}\([a-z]\w*\s*=/y,
    read: printedPython,
    isCommon: true,
  },
  {
    source: 'ReAct prompts: Action and Action Input; Qwen 1 and 2',
    families: ['qwen'],
    opens: /(?:Thought:|Action:[ \t]*[\w.:-]+[ \t]*\n\s*Action Input:)/y,
    read: reActCall,
    isCommon: true,
  },
];
