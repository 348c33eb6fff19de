/** Redacts documents about skills: archived skills and reports. Pure. */

import { isData, parseJson } from '../shared/json-texts.ts'
import type { ErasedKind } from './forget-receipt.ts'
import { CLEAN, changed, cutInside, matchesInside, type Redacted, type Redactor, remains } from './redaction.ts'

/** Keys whose texts identify a skill. */
const NAMES: ReadonlySet<string> = new Set(['name', 'from', 'category', 'absorbedInto', 'path'])

const NAMED = 'The name of a skill in it contains the text. Delete or rename that skill, then forget again.'

/** Cuts only the matching text, so that the rest stays usable. A matching document that is not UTF-8 is removed. */
export const cutText =
  (counted: ErasedKind): Redactor =>
  ({ text, loose }, { matches, cut }): Redacted => {
    if (!matches(loose)) return CLEAN
    if (text === undefined) return changed(undefined, counted)
    const next = cut(text)
    return matches(next) ? changed(undefined, counted) : changed(next, counted)
  }

const NAME_LINE = /^name:.*$/m

/** Redacts a SKILL.md. Its name line stays: a skill without a name cannot be restored. */
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

/** Cuts texts, but not names. `hasNamesAsKeys`: the top-level keys are names too. */
export const cutJson =
  (counted: ErasedKind, hasNamesAsKeys = false): Redactor =>
  (document, erasure): Redacted => {
    const data = parseJson(document.loose)
    if (!isData(data)) return cutText(counted)(document, erasure)
    if (!matchesInside(data, erasure)) return hasNamesAsKeys && Object.keys(data).some(erasure.matches) ? remains(NAMED) : CLEAN
    const next = JSON.stringify(cutInside(data, erasure, NAMES), null, 2)
    return next === JSON.stringify(data, null, 2) ? remains(NAMED) : changed(`${next}\n`, counted)
  }
