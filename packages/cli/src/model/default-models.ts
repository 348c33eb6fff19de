/** Which model is asked for where neither a person nor the environment names one; the one place to change. */
export const DEFAULT_MODELS = {
  openai: 'gpt-6-luna',
  anthropic: 'claude-haiku-4-5',
  ollama: 'qwen3',
} as const
