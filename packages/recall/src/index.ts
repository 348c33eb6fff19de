/** `@hermes/recall`: finds what was said in past sessions. */
export type { Recall, RecallHit, RecallSearch } from './recall.ts'
export { recallFromConfig as default } from './recall-from-config.ts'
export type {
  HomeRecallIndex,
  IndexAnswer,
  IndexHit,
  IndexSearch,
  IndexStats,
  RecallIndex,
  RecallIndexHome,
  RecallItem,
  SessionSummary,
  SessionWindow,
  TimeSpan,
  VectorIndex,
} from './recall-index.ts'
export { type Embed, type RecallHome, type RecallProvider, type RecallProviderOptions, recallProvider } from './recall-provider.ts'
export { type SqliteRecallIndexOptions, sqliteRecallIndex } from './sqlite/sqlite-recall-index.ts'
