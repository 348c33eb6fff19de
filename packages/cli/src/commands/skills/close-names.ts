/** Answers for a skill that does not exist, with the names that were probably meant. */
import type { HermesError } from '@hermes/core'
import { type Answer, failed } from '../../answer.ts'
import { closeNames } from '../../close-names.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../terminal/clean-text.ts'
import { openSkills } from './open-skills.ts'

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
