/** The text that goes into the system prompt: the frozen blocks of both stores, a blank line apart. */
import type { MemoryTarget } from '../memory/memory-op.ts'

interface SnapshotSource {
  renderSnapshot(target: MemoryTarget): string | undefined
}

export const renderSystemBlock = (store: SnapshotSource): string =>
  [store.renderSnapshot('memory'), store.renderSnapshot('user')].filter((block) => block !== undefined).join('\n\n')
