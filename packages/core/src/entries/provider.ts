/** For those who write an external memory provider. */

// For a command line that opens what a provider stored
export { providerFolder } from '../homes/owner.ts'
export { providerFault } from '../provider/check-provider.ts'
export type {
  ArchivedItem,
  CompressedConversation,
  HomeProvider,
  MemoryProvider,
  ProviderCall,
  ProviderForgetTarget,
  ProviderHome,
  ProviderMemoryWrite,
  ProviderPlace,
  ProviderTool,
  ProviderToolCall,
  ProviderTurn,
  RecallQuery,
  SessionEnded,
  SessionSwitch,
  TurnStart,
} from '../provider/memory-provider.ts'
export type { ProviderEvent } from '../provider/provider-options.ts'
// For tests of providers: what a home takes of their answers
export { type ProviderTexts, readTexts, readToolAnswer } from '../provider/provider-texts.ts'
// What is kept may not hold credentials.
export { redactCredentials } from '../threats/credentials/redact-credentials.ts'
