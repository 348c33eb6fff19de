/** Asks for confirmation on the terminal before anything is deleted or rolled back, unless --yes is given. */
import { type Answer, EXIT, failed } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { confirm } from '../../terminal/confirm.ts'

/** `undefined`: go on. Otherwise the answer to return; nothing has been changed. */
export const askFirst = async (
  question: string,
  yes: boolean | undefined,
  { world, isJson, progress }: Context,
): Promise<Answer | undefined> => {
  if (yes === true) return undefined
  progress.end()
  const confirmed = isJson ? 'nobody' : await confirm(question, world)
  if (confirmed === 'yes') return undefined
  if (confirmed === 'no') return failed({ code: 'confirmation', message: 'Nothing was changed.', isDecision: true })
  if (confirmed === 'stopped') return failed({ code: 'interrupted', message: 'Stopped. Nothing was changed.', exitCode: EXIT.interrupted })
  return failed({
    code: 'confirmation',
    message: 'This needs confirmation, and there is no terminal to ask on. Nothing was changed. Use --yes to confirm.',
  })
}
