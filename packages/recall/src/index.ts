/** `@hermes/recall`: finds what was said in past sessions. */
export type { AiSdkEmbeddingModel, Embed, EmbedFunction, LangChainEmbeddings } from './embed/choose-embedding.ts'
export type { Recall, RecallHit, RecallSearch } from './recall.ts'
// biome-ignore lint/style/noDefaultExport: config.yaml names a package, and its default export is the provider.
export { recallFromConfig as default } from './recall-from-config.ts'
export type {
  HomeRecallIndex,
  IndexAnswer,
  IndexHit,
  IndexSearch,
  IndexStats,
  NearSearch,
  ProjectScope,
  RecallIndex,
  RecallIndexHome,
  RecallItem,
  SessionSummary,
  SessionWindow,
  TimeSpan,
  VectorIndex,
} from './recall-index.ts'
export { type RecallHome, type RecallProvider, type RecallProviderOptions, recallProvider } from './recall-provider.ts'
export { type SqliteRecallIndexOptions, sqliteRecallIndex } from './sqlite/sqlite-recall-index.ts'
