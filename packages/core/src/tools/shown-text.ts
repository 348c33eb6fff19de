/** What of the library's own text a model may read: cut to a length, and not at all where the threat scan finds something in it. */
import { toScanParts } from '../memory/scan-parts.ts'
import { scanThreats } from '../threats/threat-scan.ts'

/** To its end, however long. A skill is context, not memory: what only memory must not hold, such as a command that reads a key file, a skill may. */
export const findingsIn = (text: string): readonly string[] => {
  const found = toScanParts(text).flatMap((part) => scanThreats(part, 'context'))
  return [...new Set(found)].sort()
}

/** The first `max` code points; a sign of the cut stands behind them. */
export const cutText = (text: string, max: number): string => {
  if (text.length <= max) return text
  const points = Array.from(text.slice(0, 2 * max + 2))
  return points.length > max ? `${points.slice(0, max).join('')}…` : text
}

/** Stands for a text with findings: names their ids, never the text. */
const withheld = (findings: readonly string[]): string => `[BLOCKED: the threat scan keeps this text out of sight: ${findings.join(', ')}]`

/** The text, or a placeholder for it. */
export const shownText = (text: string): string => {
  const findings = findingsIn(text)
  return findings.length > 0 ? withheld(findings) : text
}
