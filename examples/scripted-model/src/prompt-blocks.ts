/** The blocks that Hermes put into the system prompt, each under its ruled heading: entries of memory and the catalogue of skills. */

interface PromptBlock {
  /** `MEMORY (your personal notes) [4% — 99/2,200 chars]`. */
  readonly title: string
  readonly body: string
}

const HEADING = /^═{8,}\n(.+)\n═{8,}\n/gmu

const promptBlocks = (system: string): readonly PromptBlock[] => {
  const headings = [...system.matchAll(HEADING)]
  return headings.map((heading, index) => ({
    title: heading[1] ?? '',
    body: system.slice(heading.index + heading[0].length, headings[index + 1]?.index).trim(),
  }))
}

export interface KnownEntry {
  readonly target: 'memory' | 'user'
  readonly text: string
}

/** Everything below it in a block came from a tool or a document; each line is marked with `> `. */
const OUTSIDE_HEADING = /\n*^\[FROM OUTSIDE[^\]]*\]\n/mu

/** Without the entries that the scan blocked: the model cannot read them either. */
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

export interface CatalogSkill {
  /** What the skill_view tool finds it by. */
  readonly name: string
  readonly description: string
}

const LINE = /^- ([^\s:[]+)(?: \(stale\))?(?:: (.*))?$/

/** Without the skills whose text the scan blocked. */
export const catalogSkills = (system: string): readonly CatalogSkill[] =>
  promptBlocks(system)
    .filter(({ title }) => title.startsWith('SKILLS'))
    .flatMap(({ body }) => body.split('\n'))
    .flatMap((line): readonly CatalogSkill[] => {
      const [, name, description = ''] = LINE.exec(line) ?? []
      return name === undefined || description.startsWith('[BLOCKED') ? [] : [{ name, description }]
    })
