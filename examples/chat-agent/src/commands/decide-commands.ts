/** `/approve ID` and `/reject ID`: your decision about what waits. The first characters of an id are enough. */
import { oneLine } from '../terminal/clean-text.ts'
import { wrapText } from '../terminal/word-wrap.ts'
import type { Command, CommandContext } from './command.ts'
import { describeOp } from './describe-op.ts'

const decide = async (decision: 'approve' | 'reject', argument: string, { terminal, hermes }: CommandContext): Promise<void> => {
  const { print, paint, columns } = terminal
  const refuse = (why: string) => print(paint.red(wrapText(why, columns)))
  const waiting = await hermes.pending.list()
  if (!waiting.ok) return refuse(`What waits cannot be read: ${waiting.error.message}`)
  const found = argument === '' ? [] : waiting.value.filter(({ id }) => id.startsWith(argument))
  const [only, ...more] = found
  if (only === undefined || more.length > 0) {
    const ids = (found.length > 0 ? found : waiting.value).map(({ id }) => id).join(', ')
    return refuse(`Which one? Type /${decision} and an id. ${ids === '' ? 'Nothing waits.' : `Waiting: ${ids}`}`)
  }
  const decided = decision === 'approve' ? await hermes.pending.approve(only.id) : await hermes.pending.reject(only.id)
  if (!decided.ok) return refuse(oneLine(decided.error.message))
  const what = only.ops.map((op) => describeOp(only.target, op)).join('; ')
  print(wrapText(`${decision === 'approve' ? 'approved' : 'rejected'}: ${what}`, columns, '  '))
}

const command = (name: 'approve' | 'reject', summary: string): Command => ({
  name,
  usage: `/${name} ID`,
  summary,
  run: async (argument, context) => {
    await decide(name, argument, context)
    return undefined
  },
})

export const approveCommand = command('approve', 'write what waits for your decision')
export const rejectCommand = command('reject', 'drop what waits for your decision')
