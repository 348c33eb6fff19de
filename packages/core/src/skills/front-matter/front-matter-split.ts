/** Splits a SKILL.md at its two fences: the parts joined again are the same text. */

export interface SkillText {
  /** Byte order marks. */
  readonly marks: string
  /** The opening fence with its line end, `''` without front matter. */
  readonly opening: string
  readonly yaml: string
  /** The closing fence with its line end. */
  readonly closing: string
  readonly body: string
  readonly fault?: 'no_front_matter' | 'unclosed_front_matter'
}

const FENCE = '---'

const isFence = (line: string): boolean => line.startsWith(FENCE) && line.slice(FENCE.length).trim() === ''

const lineEndAfter = (text: string, from: number): number => {
  const found = text.indexOf('\n', from)
  return found === -1 ? text.length : found + 1
}

/** The fences of Python Hermes, and a closing fence on the very last line (reference skills-curator 2). */
export const splitSkillText = (text: string): SkillText => {
  let start = 0
  while (text.charCodeAt(start) === 0xfeff) start++
  const marks = text.slice(0, start)
  const without = (fault: NonNullable<SkillText['fault']>): SkillText => ({
    marks,
    opening: '',
    yaml: '',
    closing: '',
    body: text.slice(start),
    fault,
  })
  if (!text.startsWith(FENCE, start)) return without('no_front_matter')
  const inside = lineEndAfter(text, start)
  for (let line = inside; line < text.length; ) {
    const next = lineEndAfter(text, line)
    if (isFence(text.slice(line, next))) {
      return {
        marks,
        opening: text.slice(start, inside),
        yaml: text.slice(inside, line),
        closing: text.slice(line, next),
        body: text.slice(next),
      }
    }
    line = next
  }
  return without('unclosed_front_matter')
}
