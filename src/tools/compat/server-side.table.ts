/** Tools that the server of "zblade tool calls" carries out itself, and the replacements that a model has here. */
export const SERVER_SIDE: Readonly<Record<string, string>> = {
  attempt_completion: 'Answer in plain text: an answer without tool calls ends the turn.',
  ask_followup_question: 'Ask in plain text, or with the tool for questions where there is one.',
  new_task: 'Go on with the work here, or use the tool for subagents where there is one.',
  generate_image: 'No tool here makes images; say so.',
  todo_write: 'Keep the list in your answer, or use the tool for todos where there is one.',
};
