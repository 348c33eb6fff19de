/** Reads the entries of both stores back out of the system prompt. */
import { promptBlocks } from './prompt-blocks.ts'

export interface KnownEntry {
  readonly target: 'memory' | 'user'
  readonly text: string
}

/** Everything below it in a block came from a tool or a document; each line is marked with `> `. */
const OUTSIDE_HEADING = /\n*^\[FROM OUTSIDE[^\]]*\]\n/mu

/** Empty where nothing was injected. Entries the scan blocked are left out: the model cannot read them either. */
export const memoryBlockEntries = (system: string): readonly KnownEntry[] =>
  promptBlocks(system).flatMap(({ title, body }) => {
    if (!/^(?:MEMORY|USER) /.test(title)) return []
    const target = title.startsWith('USER') ? 'user' : 'memory'
    const [own = '', outside = ''] = body.split(OUTSIDE_HEADING)
    return [...own.split('\n§\n'), ...outside.replace(/^> /gmu, '').split('\n§\n')]
      .map((text) => text.trim())
      .filter((text) => text !== '' && !text.startsWith('[BLOCKED'))
      .map((text): KnownEntry => ({ target, text }))
  })
