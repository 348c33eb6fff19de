/** The line above a forwarded mail or message: "---------- Forwarded message ---------", "Begin forwarded message:", "Forwarded from Ada". */
import { latePattern } from '../../shared/late-pattern.ts'
import type { Line } from './lines.ts'
import { FORWARDED, MESSAGE, ORIGINAL } from './mail-words.ts'

const RULE = '[-=_*~#+.·•—–─━═]'
const ruled = new RegExp(`^\\s{0,4}${RULE}{3,60}\\s{0,4}([^\\s].{2,60}?)\\s{0,4}(${RULE}{3,60})?$`)
const longRule = new RegExp(`^\\s{0,4}${RULE}{5}`)

const forwarded = latePattern(FORWARDED, 'iu')
const original = latePattern(ORIGINAL, 'iu')
const message = latePattern(MESSAGE, 'iu')
const forwardedFrom = latePattern(`^\\s{0,4}(?:${FORWARDED})\\p{L}{0,4} (?:from|von|de|da|van|från|fra|od|от) \\S`, 'iu')

const wordsIn = (text: string): number => text.trim().split(/\s+/).length

const MIN_CHARS = 4
const MAX_CHARS = 140
const MAX_CHARS_UNRULED = 60

const isForwarding = (line: string): boolean => {
  if (line.length < MIN_CHARS || line.length > MAX_CHARS) return false
  const rule = ruled.exec(line)
  if (rule) {
    const title = rule[1] ?? ''
    if (rule[2] === undefined && !longRule.test(line)) return false
    return wordsIn(title) <= 7 && (forwarded.read().test(title) || (original.read().test(title) && message.read().test(title)))
  }
  if (line.length > MAX_CHARS_UNRULED) return false
  if (forwardedFrom.read().test(line)) return wordsIn(line) <= 5
  if (!message.read().test(line)) return false
  const words = wordsIn(line)
  const hasColon = /[:：]$/.test(line)
  return (words <= (hasColon ? 6 : 3) && forwarded.read().test(line)) || (hasColon && words <= 4 && original.read().test(line))
}

export const forwarding = (lines: readonly Line[]): number | undefined => lines.find(({ text }) => text !== '' && isForwarding(text))?.start
