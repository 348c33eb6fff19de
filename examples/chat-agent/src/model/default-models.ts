/** Which model is asked for where the environment names none. The `hermes` command has the same list; a test of the repository keeps the two alike. */
export const DEFAULT_MODELS = {
  openai: 'gpt-6-luna',
  anthropic: 'claude-haiku-5-5',
  ollama: 'qwen3',
} as const
