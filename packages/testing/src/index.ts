/** `@hermes/testing`: conformance suites for back ends, adapters, providers, queues and memories under attack, and test doubles. Needs vitest. */

// Adapters
export type {
  AdapterCapabilities,
  AdapterHost,
  AdapterHostSetup,
  CreateAdapterHost,
  ModelAnswer,
  ModelCall,
  SendOptions,
} from './adapter-conformance/adapter-host.ts'
export { calls as toolCallAnswer, says as textAnswer } from './adapter-conformance/model.ts'
export { adapterConformance } from './adapter-conformance.ts'
export type { OpenInChild } from './child-process.ts'
// Doubles
export {
  type ManualClock,
  manualClock,
  type RecordingHermes,
  type RecordingSession,
  type RecordingSessionOptions,
  recordingHermes,
  recordingSession,
  type ScriptedAnswer,
  type ScriptedHostModel,
  scriptedHostModel,
} from './doubles.ts'
export { type InMemoryReview, type InMemoryReviewQueueOptions, inMemoryReviewQueue } from './in-memory-review-queue.ts'
// Poisoning
export type {
  Authority,
  CreatePoisonedMemory,
  PoisonedMemory,
  PoisonedModel,
  PoisoningConversation,
  StoredNote,
} from './poisoning/play-attack.ts'
export type { PoisoningSession, PoisoningTurn } from './poisoning/ways-in.ts'
export { type PoisoningSuiteOptions, poisoningConformance } from './poisoning-conformance.ts'
// Memory providers
export type { CreateProviderHarness, ProviderCapabilities, ProviderHarness } from './provider-conformance/provider-test.ts'
export { providerConformance } from './provider-conformance.ts'
// Queues
export type {
  CreateReviewQueueHarness,
  ReviewQueueCapabilities,
  ReviewQueueHarness,
} from './review-queue-conformance/queue-test.ts'
export { reviewQueueConformance } from './review-queue-conformance.ts'
// Back ends
export type { CreateStorageHarness, StorageCapabilities, StorageHarness } from './storage-conformance/storage-test.ts'
export { storageConformance } from './storage-conformance.ts'
// Every suite
export type { SuiteExtent } from './suite.ts'
