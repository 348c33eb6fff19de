/** Folders in `packages/` of the packages that are published. */
export const PUBLISHED = ['core', 'ai-sdk', 'langchain', 'openai-agents', 'otel', 'postgres', 'sqlite', 'recall', 'cli'] as const
