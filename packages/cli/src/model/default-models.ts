/**
 * The models used if neither the user nor the environment names one. The example chat agent has its own copy, so that it does not depend on
 * this package; a repository test keeps the two equal.
 */
export const DEFAULT_MODELS = {
  openai: 'gpt-6-luna',
  anthropic: 'claude-haiku-5-5',
  ollama: 'qwen3',
} as const
