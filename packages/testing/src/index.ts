/** `@hermes/testing`: conformance suites for back ends and adapters, and their test doubles. Needs vitest. */

export type {
  AdapterCapabilities,
  AdapterHost,
  AdapterHostSetup,
  CreateAdapterHost,
  ModelAnswer,
  ModelCall,
  SendOptions,
} from './adapter-conformance/adapter-host.ts'

// adapters
export { adapterConformance } from './adapter-conformance.ts'
// doubles
export { type InMemoryReview, type InMemoryReviewQueueOptions, inMemoryReviewQueue } from './in-memory-review-queue.ts'
// suites
export type { KitExtent } from './kit-extent.ts'
export { type ManualClock, manualClock } from './manual-clock.ts'
// memory providers
export type { CreateProviderHarness, ProviderCapabilities, ProviderHarness } from './provider-conformance/provider-harness.ts'
export { providerConformance } from './provider-conformance.ts'
export { type RecordingHermes, type RecordingSession, recordingHermes, recordingSession } from './recording-session.ts'
export type {
  CreateReviewQueueHarness,
  ReviewQueueCapabilities,
  ReviewQueueHarness,
} from './review-queue-conformance/queue-harness.ts'
// queues
export { reviewQueueConformance } from './review-queue-conformance.ts'
export { type ScriptedAnswer, type ScriptedHostModel, scriptedHostModel } from './scripted-host-model.ts'
export type { CreateStorageHarness, StorageCapabilities, StorageHarness } from './storage-conformance/storage-harness.ts'
// back ends
export { storageConformance } from './storage-conformance.ts'
