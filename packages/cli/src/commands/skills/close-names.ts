/** Answers for a skill that does not exist, with the names that were probably meant. */
import type { HermesError } from '@hermes/core'
import { type Answer, failed } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../terminal/clean-text.ts'
import { openSkills } from './open-skills.ts'

const SHOWN = 3

/** Number of letters to add, remove or replace to get from one text to the other. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [at, other] of [...to].entries()) {
      next.push(Math.min((row[at] ?? 0) + (letter === other ? 0 : 1), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** Best first: names that contain the text or begin like it, then names with few other letters. */
export const closeNames = (wanted: string, names: readonly string[]): readonly string[] => {
  const asked = wanted.toLowerCase()
  const limit = Math.max(1, Math.floor(asked.length / 3))
  return [...new Set(names)]
    .flatMap((name) => {
      const own = name.toLowerCase()
      if (asked.length > 2 && (own.includes(asked) || asked.includes(own)))
        return [{ name, apart: Math.abs(own.length - asked.length) / 100 }]
      const apart = Math.abs(own.length - asked.length) > limit ? Number.POSITIVE_INFINITY : distance(asked, own)
      return apart <= limit ? [{ name, apart }] : []
    })
    .sort((a, b) => a.apart - b.apart || (a.name < b.name ? -1 : 1))
    .slice(0, SHOWN)
    .map(({ name }) => name)
}

const isSkillMissing = ({ code, details }: HermesError): boolean =>
  code === 'not_found' && details['name'] !== undefined && details['candidates'] === undefined && details['files'] === undefined

/** Any other error is answered as it is. */
export const failedWithCloseNames = async (error: HermesError, context: Context): Promise<Answer> => {
  if (!isSkillMissing(error)) return failed(error)
  const target = String(error.details['name'])
  const listed = await openSkills(context).list()
  const candidates = closeNames(target, listed.ok ? listed.value.skills.map(({ name }) => name) : [])
  const meant = candidates.length === 0 ? '' : ` Did you mean ${candidates.map((name) => `'${oneLine(name)}'`).join(' or ')}?`
  return failed({
    code: error.code,
    message: `There is no skill '${oneLine(target).slice(0, 80)}'.${meant} 'hermes skills list' lists them.`,
    details: { ...error.details, candidates },
  })
}
