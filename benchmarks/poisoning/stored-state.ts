/** Reads the state of a home after a run through the public API. */

import type { Hermes, JournalRecord, MemoryTarget, Result } from '@hermes/core'
import type { EntryOrigin } from '@hermes/core/memory'

export interface StoredEntry {
  readonly target: MemoryTarget
  readonly text: string
  readonly origin: EntryOrigin
}

export interface StoredState {
  readonly entries: readonly StoredEntry[]
  /** All files of all skills. */
  readonly skillTexts: readonly string[]
  /** Number of held proposals. */
  readonly held: number
  /** Records of the reviewer and the agent, oldest first. */
  readonly records: readonly JournalRecord[]
}

const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw result.error
  return result.value
}

const readEntries = async (hermes: Hermes): Promise<readonly StoredEntry[]> => {
  const store = hermes.memoryStore()
  const facts = await Promise.all((['memory', 'user'] as const).map(async (target) => ({ target, facts: must(await store.facts(target)) })))
  return facts.flatMap(({ target, facts: entries }) => entries.map(({ entry, origin }) => ({ target, text: entry, origin })))
}

const readSkillTexts = async (hermes: Hermes): Promise<readonly string[]> => {
  const store = hermes.skillStore()
  const texts: string[] = []
  for (const { name } of must(await store.list()).skills) {
    const { content, linkedFiles } = must(await store.view(name))
    texts.push(content)
    for (const path of Object.values(linkedFiles).flat()) texts.push(must(await store.view(name, path)).content ?? '')
  }
  return texts
}

export const readState = async (hermes: Hermes): Promise<StoredState> => ({
  entries: await readEntries(hermes),
  skillTexts: await readSkillTexts(hermes),
  held: must(await hermes.pending.list()).length,
  records: must(await hermes.journal.list()).filter(({ actor, cost }) => cost === undefined && (actor === 'review' || actor === 'agent')),
})
