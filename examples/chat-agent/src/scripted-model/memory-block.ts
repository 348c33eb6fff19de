/** Reads the entries back out of the block that Hermes put into the system prompt. */

export interface KnownEntry {
  readonly target: 'memory' | 'user'
  readonly text: string
}

/** Everything below it in a block came from a tool or a document; each line is marked with `> `. */
const OUTSIDE_HEADING = /\n*^\[FROM OUTSIDE[^\]]*\]\n/mu
const HEADER = /^═{8,}\n([A-Z ]+) (?:\([^)]*\) )?\[[^\]]*\]\n═{8,}\n/gmu

/** Empty where nothing was injected. Entries the scan blocked are left out: the model cannot read them either. */
export const memoryBlockEntries = (system: string): readonly KnownEntry[] => {
  const headers = [...system.matchAll(HEADER)]
  return headers.flatMap((header, index) => {
    const target = header[1]?.startsWith('USER') ? 'user' : 'memory'
    const body = system.slice(header.index + header[0].length, headers[index + 1]?.index)
    const [own = '', outside = ''] = body.split(OUTSIDE_HEADING)
    return [...own.split('\n§\n'), ...outside.replace(/^> /gmu, '').split('\n§\n')]
      .map((text) => text.trim())
      .filter((text) => text !== '' && !text.startsWith('[BLOCKED'))
      .map((text): KnownEntry => ({ target, text }))
  })
}
