/** Loads memory and skills, and renders the text to be frozen. What cannot be had of one never costs the other. */
import type { MemoryStore } from '../memory/memory-store.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { type CatalogSource, readSkillCatalog } from './read-skill-catalog.ts'
import { renderSystemBlock } from './system-block.ts'
import { withinLimit } from './within-limit.ts'

export interface FrozenText {
  readonly text: string
  /** Nothing is missing from it. */
  readonly complete: boolean
}

export interface FreezeDeps {
  readonly memory: MemoryStore
  /** Undefined where skills are switched off. */
  readonly skills: CatalogSource | undefined
  /** Milliseconds for the skills, so that slow ones do not take the memory along. */
  readonly skillsLimitMs: number
  readonly onFailure: (operation: string, error: HermesError) => void
}

/** Broken skills told at once; the rest of them the list of skills names. */
const MAX_TOLD = 10

const tooSlow = (limitMs: number): HermesError =>
  new HermesError('timeout', `The skills could not be listed within ${limitMs} ms; the session goes on without their catalogue.`)

const catalogOf = async ({ skills, skillsLimitMs, onFailure }: FreezeDeps): Promise<FrozenText> => {
  if (!skills) return { text: '', complete: true }
  const read = await withinLimit(readSkillCatalog(skills), skillsLimitMs)
  if (!read?.ok) {
    onFailure('load skills', read?.error ?? tooSlow(skillsLimitMs))
    return { text: '', complete: false }
  }
  for (const problem of read.value.problems.slice(0, MAX_TOLD)) onFailure('load skills', problem)
  return { text: read.value.text ?? '', complete: true }
}

export const freezeBlock = async (deps: FreezeDeps): Promise<FrozenText> => {
  const { memory, onFailure } = deps
  const [loaded, catalog] = await Promise.all([memory.load(), catalogOf(deps)])
  if (!loaded.ok) onFailure('load memory', loaded.error)
  return {
    text: renderSystemBlock(memory, catalog.text === '' ? undefined : catalog.text),
    complete: catalog.complete && memory.loadProblems().length === 0,
  }
}
