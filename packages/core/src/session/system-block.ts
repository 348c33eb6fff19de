/** The text that goes into the system prompt: the frozen blocks of both stores, then the catalogue of skills, a blank line apart. */
import type { MemoryTarget } from '../memory/memory-op.ts'

interface SnapshotSource {
  renderSnapshot(target: MemoryTarget): string | undefined
}

export const renderSystemBlock = (store: SnapshotSource, catalog?: string): string =>
  [store.renderSnapshot('memory'), store.renderSnapshot('user'), catalog].filter((block) => block !== undefined).join('\n\n')
