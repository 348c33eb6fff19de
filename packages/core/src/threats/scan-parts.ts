/** Splits a long text into pieces for a threat scan, which overlap by half, so that a phrase on a boundary is found. */
import { THREAT_SCAN_MAX_CHARS } from './scan.ts'

const isSecondHalf = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** One piece for a text of at most 65,536 UTF-16 units. */
export const toScanParts = (text: string): readonly string[] => {
  const parts: string[] = []
  const cutAt = (index: number): number => (isSecondHalf(text.charCodeAt(index)) ? index - 1 : index)
  for (let start = 0; ; start += THREAT_SCAN_MAX_CHARS / 2) {
    parts.push(text.slice(cutAt(start), cutAt(start + THREAT_SCAN_MAX_CHARS)))
    if (start + THREAT_SCAN_MAX_CHARS >= text.length) return parts
  }
}
