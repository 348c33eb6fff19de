/** The entries that a write moved to the archive to make room, and how to restore each. */
import type { MemoryOpOutcome, MemoryStore } from '@hermes/core'
import { cleanText } from '../../terminal/clean-text.ts'
import { hint } from '../../terminal/hint.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { wrapText } from '../../terminal/wrap-text.ts'
import { shortEntryId } from './short-entry-id.ts'

export interface MadeRoom {
  readonly text: string
  readonly origin: string
  /** Id in the archive, shortened as in lists. Omitted if the archive cannot be read or does not contain the text. */
  readonly id?: string
}

export const readMadeRoom = async (store: MemoryStore, { target, evicted = [] }: MemoryOpOutcome): Promise<readonly MadeRoom[]> => {
  if (evicted.length === 0) return []
  const listed = await store.archived(target)
  const archived = listed.ok ? listed.value : []
  return evicted.map(({ text, origin }) => {
    const found = archived.find((entry) => entry.text === text)
    return { text, origin, ...(found ? { id: shortEntryId(found.id, archived) } : {}) }
  })
}

const INDENT = 4

export const renderMadeRoom = (made: readonly MadeRoom[], terminal: Terminal): string =>
  made
    .map(({ text, id }) => {
      const line = `  - ${wrapText(cleanText(text), terminal.columns, INDENT)}\n`
      return id === undefined ? line : `${line}${hint(`    Undo: hermes memory restore ${id}`, terminal)}`
    })
    .join('')
