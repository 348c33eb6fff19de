import { AI_SDK } from './ai-sdk.ts'
import { coreSteps, coreTurns } from './core.ts'
import { CREATE_AGENT } from './create-agent.ts'
import { hermesMemory } from './hermes-memory.ts'
import { OPENAI_AGENTS } from './openai-agents.ts'
import type { PlayOn, SurfaceName } from './surface.ts'
import { WITH_HERMES } from './with-hermes.ts'

export const SURFACES: Readonly<Record<SurfaceName, PlayOn>> = {
  'core: steps': coreSteps,
  'core: turns': coreTurns,
  ...AI_SDK,
  ...OPENAI_AGENTS,
  'langchain: HermesMemory': hermesMemory,
  ...WITH_HERMES,
  ...CREATE_AGENT,
}
