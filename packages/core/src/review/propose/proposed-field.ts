/** What a reviewer proposes for a field of the profile, as an operation on its entry, if the value fits the schema. Pure. */
import { parseProfileEntry, profileValues, toFieldOp } from '../../memory/profile-entry.ts'
import type { ProfileRules } from '../../memory/profile-schema.ts'
import { isData, parseJson } from '../../shared/json-texts.ts'
import { ok } from '../../shared/result.ts'
import { drop, type ProposedItem } from './review-proposer.ts'

export interface ProposedProfile {
  readonly rules: ProfileRules
  /** All that are stored. */
  readonly entries: readonly string[]
}

/** `field: value`, or a field alone; the field may stand in quotation marks. */
const FIELD = /^\s*["'`]?([^:"'`\n]+?)["'`]?\s*(?::\s*([\s\S]*?)\s*)?$/

const MALFORMED = 'It is no field with its value, such as city: "Porto".'

/** JSON, else the text itself: models leave quotation marks out. */
const readings = (text: string): readonly unknown[] => {
  const json = parseJson(text)
  return json === undefined ? [text] : [json, text]
}

/** Drops a value that does not fit, with the reason. `proposal`: of the target `profile`, not validated. */
export const withField = (proposal: Readonly<Record<string, unknown>>, { rules, entries }: ProposedProfile): ProposedItem => {
  const op = isData(proposal['op']) ? proposal['op'] : {}
  const isRemoval = op['action'] === 'remove'
  const text = isRemoval ? (op['oldText'] ?? op['content']) : op['content']
  const [, field, given] = typeof text === 'string' ? (FIELD.exec(text) ?? []) : []
  if (field === undefined || (given === undefined && !isRemoval)) return drop(MALFORMED, proposal)
  const others = rules.fitting(entries.filter((entry) => parseProfileEntry(entry)?.field !== field))
  let misfit: string | undefined
  for (const value of isRemoval ? [undefined] : readings(given ?? '')) {
    misfit = isRemoval ? undefined : rules.misfit({ ...profileValues(others), [field]: value }, field)
    const planned = misfit === undefined ? toFieldOp(entries, field, value) : undefined
    if (planned) return ok({ ...proposal, op: planned })
  }
  return drop(misfit ?? `The field '${field.slice(0, 80)}' has no value that could be taken away.`, proposal)
}
