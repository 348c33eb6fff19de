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

/** What each part may use: what it needs, but those that need more than an equal share divide the rest equally. */
const shareRoom = (parts: readonly BlockPart[], room: number): number[] => {
  const sizes = parts.map(({ text }) => countCodePoints(text))
  const shares: number[] = []
  let [rest, waiting] = [room, sizes.length]
  for (const [index, size] of [...sizes.entries()].sort(([, a], [, b]) => a - b)) {
    const share = Math.max(0, Math.min(size, Math.floor(rest / waiting--)))
    shares[index] = share
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
  for (const { text, shorten } of shown) {
    const room = shares.shift() ?? 0
    // Each rendering takes a while, and other work runs in between.
    await pause()
    texts.push(countCodePoints(text) <= room ? text : shorten(room))
  }
  return join(texts)
}
