/** A way of using the library, through which a scene can be played. */
import type { Hermes, HermesOptions, StorageBackend } from '@hermes/core'
import type { Knowledge } from '../knowledge.ts'
import type { Reviewer } from '../reviewer.ts'
import type { Scene } from '../scene.ts'

export const SURFACE_NAMES = [
  'core: steps',
  'core: turns',
  'ai-sdk: session, generate',
  'ai-sdk: session, stream',
  'ai-sdk: hermes, generate',
  'ai-sdk: homes, stream',
  'openai-agents: session, run',
  'openai-agents: homes, stream',
  'langchain: HermesMemory',
  'langchain: withHermes, invoke',
  'langchain: withHermes, stream',
  'langchain: createAgent, hermes',
  'langchain: createAgent, homes',
] as const

export type SurfaceName = (typeof SURFACE_NAMES)[number]

export const SESSION_ID = 'chat'
/** For a surface with homes. */
export const OWNER = 'ada'

interface Play {
  readonly scene: Scene
  readonly reviewer: Reviewer
  readonly knowledge: Knowledge
  readonly options: HermesOptions & { readonly storage: StorageBackend }
  /** Called before the first session, with the home that the scene is played in. */
  readonly begin: (hermes: Hermes) => Promise<void>
}

/** Plays all turns, waiting for the work behind each. Resolves to the home. */
export type PlayOn = (play: Play) => Promise<Hermes>

export const INSTRUCTIONS = 'You are the assistant of a small team. Be brief.'

let ids = 0

export const nextId = (): string => `call-${++ids}`
