/** Joins the parts of the frozen text within its limit, whatever the files of the home hold. */
import { countCodePoints } from '../shared/code-points.ts'
import { pause } from '../shared/pause.ts'

export interface BlockPart {
  /** `''` if there is nothing to show. */
  readonly text: string
  /** A shorter text that says what it leaves out, in at most `maxChars` code points; `''` if that is too little. */
  readonly shorten: (maxChars: number) => string
}

const GAP = '\n\n'

const join = (texts: readonly string[]): string => texts.filter((text) => text !== '').join(GAP)

/** Each part gets what it needs; those that need more than an equal share divide the rest equally. */
const shareRoom = (parts: readonly BlockPart[], room: number): ReadonlyMap<BlockPart, number> => {
  const smallestFirst = parts.map((part) => ({ part, size: countCodePoints(part.text) })).sort((a, b) => a.size - b.size)
  const shares = new Map<BlockPart, number>()
  let [rest, waiting] = [room, parts.length]
  for (const { part, size } of smallestFirst) {
    const share = Math.max(0, Math.min(size, Math.floor(rest / waiting--)))
    shares.set(part, share)
    rest -= share
  }
  return shares
}

/** The parts, a blank line apart, in at most `maxChars` code points. */
export const fitBlock = async (parts: readonly BlockPart[], maxChars: number): Promise<string> => {
  const shown = parts.filter(({ text }) => text !== '')
  const whole = join(shown.map(({ text }) => text))
  if (countCodePoints(whole) <= maxChars) return whole
  const shares = shareRoom(shown, maxChars - GAP.length * (shown.length - 1))
  const texts: string[] = []
  for (const part of shown) {
    const room = shares.get(part) ?? 0
    const isWhole = countCodePoints(part.text) <= room
    // Each rendering takes a while, and other work runs in between.
    if (!isWhole) await pause()
    texts.push(isWhole ? part.text : part.shorten(room))
  }
  return join(texts)
}
