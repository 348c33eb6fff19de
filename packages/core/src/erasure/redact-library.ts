/** Documents about skills that may be cut: archived skills, what a rollback replaced, reports, merges that wait. Pure. */

import type { ErasedKind } from './forget-receipt.ts'
import { isData, mapTexts, parseJson, someText } from './json-texts.ts'
import { CLEAN, changed, type Redacted, type Redactor, remains } from './redaction.ts'

/** What tells one skill from another, and a skill from none. */
const NAMES: ReadonlySet<string> = new Set(['name', 'from', 'category', 'absorbedInto', 'path'])

const NAMED = 'The name of a skill in it holds the text. Delete or rename that skill, then forget again.'

/** The text alone is cut, so that the rest can still be used. What is no text goes. */
export const cutText =
  (counted: ErasedKind): Redactor =>
  ({ text, loose }, { matches, cut }): Redacted => {
    if (!matches(loose)) return CLEAN
    if (text === undefined) return changed(undefined, counted)
    const next = cut(text)
    return matches(next) ? changed(undefined, counted) : changed(next, counted)
  }

const NAME_LINE = /^name:.*$/m

/** A SKILL.md: without its name it is no skill any more, and could not come back, so that line stays. */
export const cutSkill =
  (counted: ErasedKind): Redactor =>
  (document, erasure): Redacted => {
    const { text } = document
    const line = text === undefined ? null : NAME_LINE.exec(text)
    if (text === undefined || !line || !erasure.matches(line[0])) return cutText(counted)(document, erasure)
    const behind = line.index + line[0].length
    const next = erasure.cut(text.slice(0, line.index)) + line[0] + erasure.cut(text.slice(behind))
    return next === text ? remains(NAMED) : changed(next, counted)
  }

/** Names stay; other texts are cut. `hasNamesAsKeys`: the keys of the document are names too. */
export const cutJson =
  (counted: ErasedKind, hasNamesAsKeys = false): Redactor =>
  (document, erasure): Redacted => {
    const data = parseJson(document.loose)
    if (!isData(data)) return cutText(counted)(document, erasure)
    if (!someText(data, erasure.matches)) return hasNamesAsKeys && Object.keys(data).some(erasure.matches) ? remains(NAMED) : CLEAN
    const next = JSON.stringify(mapTexts(data, erasure.cut, NAMES), null, 2)
    return next === JSON.stringify(data, null, 2) ? remains(NAMED) : changed(`${next}\n`, counted)
  }

/** A merge that waits with the text in it is dropped: what would be approved is no longer what was proposed. */
export const redactWaitingMerges: Redactor = ({ loose }, erasure): Redacted => {
  const data = parseJson(loose)
  const waiting = isData(data) ? data['waiting'] : undefined
  if (!isData(data) || !Array.isArray(waiting)) return erasure.matches(loose) ? changed(undefined, 'heldProposals') : CLEAN
  const kept = waiting.filter((merge) => !someText(merge, erasure.matches))
  if (kept.length === waiting.length) return CLEAN
  const next = kept.length === 0 ? undefined : `${JSON.stringify({ ...data, waiting: kept }, null, 2)}\n`
  return changed(next, 'heldProposals', waiting.length - kept.length)
}
