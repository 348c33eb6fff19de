/**
 * Which model is asked for where neither a person nor the environment names one. The example chat agent has its own list, so that it can be read and copied
 * without this package; a test of the repository keeps the two alike.
 */
export const DEFAULT_MODELS = {
  openai: 'gpt-6-luna',
  anthropic: 'claude-haiku-5-5',
  ollama: 'qwen3',
} as const
