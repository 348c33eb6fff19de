/** `@hermes/core/adapter`: for adapters of frameworks, in the order of a call. How to build one: docs/write-your-own.md. */

// The session of a call
export { type CallPlace, callPlace, type HermesCall, identifyCall } from '../adapter/call-identity.ts'
export {
  checkTarget,
  type FoundSession,
  findSession,
  type HermesTarget,
  isFailure,
  isHomes,
  isSession,
  sharedTarget,
  tellFailure,
  WITHOUT_MEMORY,
  type WiringAdvice,
} from '../adapter/find-session.ts'
// Mistakes in the wiring
export {
  type HermesWarning,
  type HermesWarningCode,
  type HermesWarningListener,
  insideCall,
  warningListener,
  warnUnexpected,
} from '../adapter/hermes-warning.ts'
export { asList, asRecord, asText, toJson } from '../adapter/loose-values.ts'
// The agent's tools
export { memoryCommands, type RunMemoryCommand } from '../adapter/memory-files.ts'
// A model call
export {
  asCount,
  beginModelCall,
  beginUnownedCall,
  joinBlock,
  type ModelCall,
  type ModelCallEnd,
  type ModelCallStart,
  toModelUsage,
} from '../adapter/model-call.ts'
export { functionsIn, toolsToOffer } from '../adapter/offered-tools.ts'
export { type OriginalTexts, originalTexts, type RestoreTexts } from '../adapter/original-texts.ts'
export { appendFence, type FencedMessages, fencesByUserMessage, placeFences, scrubText } from '../adapter/recalled-texts.ts'
export { refusal, runTool } from '../adapter/run-tool.ts'
// Messages of a framework, and recalled text in them
export { withSystemContext } from '../proposal/system-context.ts'
export { fenceContext, sanitizeContext } from '../provider/context-fence.ts'
export { type ContextScrubber, createContextScrubber } from '../provider/context-scrubber.ts'
export type { WiringFailure, WiringMistake } from '../session/hermes-event.ts'
export type { ModelToolCall } from '../session/nested-run.ts'
export type { RecalledText } from '../session/session.ts'
export type { SharedTools } from '../session/tool-calls.ts'
export type { OfferedTool } from '../session/tool-trust.ts'
// Calls code of the host whose failure must not matter
export { callSafely } from '../shared/call-safely.ts'
export { cutText, MAX_OUTSIDE_CHARS } from '../shared/cut-text.ts'
export type { MemoryToolInput, MemoryToolResult } from '../tools/memory-tool.ts'
export type { SkillListToolResult } from '../tools/skill-list-reply.ts'
export type { SkillManageInput, SkillManageToolResult } from '../tools/skill-manage-reply.ts'
export type { SkillListToolInput, SkillViewToolInput } from '../tools/skill-tools.ts'
export type { SkillViewToolResult } from '../tools/skill-view-reply.ts'
export type { ToolContext, ToolDefinition, ToolInputCheck, ToolInputSchema } from '../tools/tool-definition.ts'
