/** `hermes curator pin` and `unpin`: a pinned skill stays as it is on every automatic path. */
import { describeProtection, judgeCustody, type Result, readCustodyMarks, type UsageRecord } from '@hermes/core'
import { type Answer, failed } from '../../answer.ts'
import { type Command, defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { curatorParts } from './curator-parts.ts'

const setPin = async (target: string, pinned: boolean, context: Context): Promise<Answer> => {
  const { clock } = context
  const { skills, usage, storage } = curatorParts(context)
  const viewed = await skills.view(target)
  if (!viewed.ok) return failed(viewed.error)
  const marks = await readCustodyMarks(storage, { clock })
  if (!marks.ok) return failed(marks.error)
  const { name } = viewed.value
  const { owner, pinned: before } = judgeCustody(viewed.value, await usage.get(name), marks.value)
  if (pinned && (owner === 'bundled' || owner === 'hub')) {
    return failed({ code: 'rejected', message: `${describeProtection(owner, name)} It needs no pin.` })
  }
  const changed: Result<UsageRecord> | undefined = before === pinned ? undefined : await (pinned ? usage.pin(name) : usage.unpin(name))
  if (changed && !changed.ok) return failed(changed.error)
  const told = pinned
    ? `${name} is pinned: nothing automatic changes it.`
    : before
      ? `${name} is not pinned any more.`
      : `${name} was not pinned.`
  return { value: { name, pinned, changed: before !== pinned }, text: () => `${told}\n` }
}

const pinVerb = (verb: 'pin' | 'unpin', describe: string, what: string): Command =>
  defineCommand<{ readonly name: string }>({
    usage: `${verb} <name>`,
    describe,
    examples: [[`hermes curator ${verb} deploy`, what]],
    options: (parser) => parser.positional('name', { type: 'string', demandOption: true, describe: 'the name or the folder of a skill' }),
    run: ({ name }, context) => setPin(name, verb === 'pin', context),
  })

export const pinCommand = pinVerb('pin', 'Keep a skill as it is: never stale, never archived, never rewritten by a review.', 'it stays')
export const unpinCommand = pinVerb('unpin', 'Let the curator look after a skill again.', 'it may age again')
