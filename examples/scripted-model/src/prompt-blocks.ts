/** The blocks that Hermes put into the system prompt, each under its ruled heading. */

export interface PromptBlock {
  /** `MEMORY (your personal notes) [4% — 99/2,200 chars]`. */
  readonly title: string
  readonly body: string
}

const HEADING = /^═{8,}\n(.+)\n═{8,}\n/gmu

/** Empty where nothing was injected. */
export const promptBlocks = (system: string): readonly PromptBlock[] => {
  const headings = [...system.matchAll(HEADING)]
  return headings.map((heading, index) => ({
    title: heading[1] ?? '',
    body: system.slice(heading.index + heading[0].length, headings[index + 1]?.index).trim(),
  }))
}
