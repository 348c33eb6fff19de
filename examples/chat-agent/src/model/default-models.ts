/** Which model is asked for where the environment names none; the one place to change. */
export const DEFAULT_MODELS = {
  openai: 'gpt-6-luna',
  anthropic: 'claude-haiku-5-5',
  ollama: 'qwen3',
} as const
