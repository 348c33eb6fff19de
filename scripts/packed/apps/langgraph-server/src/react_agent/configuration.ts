/** What an assistant may set: the model and the system prompt. */
import { Annotation, type LangGraphRunnableConfig } from '@langchain/langgraph'

export const ConfigurationAnnotation = Annotation.Root({
  model: Annotation<string>,
  /** `{today}` stands for the date. */
  systemPrompt: Annotation<string>,
})

export const readConfiguration = ({ configurable = {} }: LangGraphRunnableConfig) => ({
  model: String(configurable['model'] ?? 'openai:gpt-5-mini'),
  systemPrompt: String(configurable['systemPrompt'] ?? 'Answer briefly. Today is {today}.'),
})
