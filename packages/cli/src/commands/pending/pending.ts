/** `hermes pending`: asks about each proposal that waits, one by one; without a terminal it lists them. With ids it shows them, or decides about them. */

import type { Hermes, PendingProposal } from '@hermes/core'
import { type Answer, failed, interrupted, isRefusal, usage } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { shortId } from '../../find-by-id.ts'
import { askKey, hasPerson, type KeyChoice } from '../../terminal/ask-first.ts'
import { hint } from '../../terminal/field-list.ts'
import { counted } from '../../terminal/format.ts'
import { forStderr } from '../../terminal/terminal.ts'
import { openPending } from '../journal/read-journal.ts'
import { decide, editableOf, editProposal, findAll, type Outcome } from './decide.ts'
import { renderPending, showPending } from './pending-view.ts'

type Key = 'y' | 'n' | 'e' | 's' | 'q'

const CHOICES: readonly KeyChoice<Key>[] = [
  { value: 'y', label: 'write it; it then counts as your own words' },
  { value: 'n', label: 'drop it; the journal keeps it' },
  { value: 'e', label: 'change the text first, in your editor' },
  { value: 's', label: 'skip it; it goes on waiting' },
  { value: 'q', label: 'quit' },
]

interface Desk {
  readonly hermes: Hermes
  readonly context: Context
  /** To be called before each decision: all that it writes has one time, so that an undo takes it back as a whole. */
  readonly begin: () => void
}

const openDesk = async (context: Context): Promise<Desk> => {
  const { openWithProvider } = await import('../../open-hermes.ts')
  let at = context.clock()
  const hermes = await openWithProvider({ ...context, clock: () => at })
  const begin = (): void => {
    at = context.clock()
  }
  return { hermes, context, begin }
}

const carryOut = async (key: 'y' | 'n' | 'e', proposal: PendingProposal, { hermes, context, begin }: Desk) => {
  if (key === 'e') return editProposal(proposal, hermes, context, begin)
  begin()
  const done = await (key === 'y' ? hermes.pending.approve(proposal.id) : hermes.pending.reject(proposal.id))
  return done.ok ? ({ ok: true, value: key === 'y' ? 'approved' : 'rejected' } as const) : done
}

interface Tally {
  readonly decided: { readonly id: string; readonly decision: Outcome }[]
  isStopped: boolean
}

/** Asks again if the text was left as it was, or could not be written. Returns false at the end of the whole conversation. */
const askAbout = async (proposal: PendingProposal, title: string, tally: Tally, desk: Desk): Promise<boolean> => {
  const { context } = desk
  const choices = CHOICES.filter(({ value }) => value !== 'e' || editableOf(proposal) !== undefined)
  for (;;) {
    const key = await askKey(title, choices, context.world)
    if (key === 'stopped') tally.isStopped = true
    if (key === 'stopped' || key === 'q') return false
    if (key === 's') return true
    const done = await carryOut(key, proposal, desk)
    if (!done.ok) context.warn(done.error.message)
    else if (done.value !== 'unchanged') {
      tally.decided.push({ id: proposal.id, decision: done.value })
      return true
    }
  }
}

const answerOf = ({ decided, isStopped }: Tally, all: readonly PendingProposal[]): Answer => {
  const left = all.filter(({ id }) => !decided.some((each) => each.id === id)).map(({ id }) => id)
  const parts = (['approved', 'edited', 'rejected'] as const).flatMap((decision) => {
    const count = decided.filter((each) => each.decision === decision).length
    return count === 0 ? [] : [`${count} ${decision}`]
  })
  const waits = left.length === 0 ? 'nothing waits any more' : `${counted(left.length, 'proposal waits', 'proposals wait')}`
  const told = [...parts, waits].join(', ')
  return {
    value: { decided, left },
    text: (terminal) =>
      `${told[0]?.toUpperCase()}${told.slice(1)}.\n${decided.length === 0 ? '' : hint("'hermes undo' takes the last decision back.", terminal)}`,
    ...(isStopped ? interrupted('Stopped. What was decided stays.') : {}),
  }
}

const ask = async (context: Context): Promise<Answer> => {
  const listed = await openPending(context).list()
  if (!listed.ok) return failed(listed.error)
  const all = listed.value
  if (all.length === 0) return showPending(all, false, context)
  const desk = await openDesk(context)
  const tally: Tally = { decided: [], isStopped: false }
  for (const [index, proposal] of all.entries()) {
    context.say(`\n${renderPending(proposal, context.clock(), false, forStderr(context.terminal))}`)
    const goesOn = await askAbout(proposal, `${index + 1} of ${all.length}: write ${shortId(proposal.id)}?`, tally, desk)
    if (!goesOn) break
  }
  return answerOf(tally, all)
}

const NO_ID = "Missing <id>: 'hermes pending' shows the ids of what waits."

export const pendingCommand = defineCommand({
  describe:
    'Decide about each proposal that waits, one by one. Without a terminal: list them. With ids: show these in full, or decide about them.',
  examples: [
    ['hermes pending', 'y writes it, n drops it, e changes its text first, s skips it, q quits'],
    ['hermes pending 8f3a12bc', 'one of them in full; the beginning of its id is enough'],
    ['hermes pending 8f3a 77b0 --approve', 'write them, as your own words; nothing is decided if one of them is unknown'],
    ['hermes pending 8f3a --reject', 'drop it; the journal keeps a record'],
  ],
  onlyReads: true,
  options: (parser) =>
    parser
      .positional('id', { type: 'string', array: true, default: [], describe: 'ids of proposals, or their beginnings' })
      .option('approve', { type: 'boolean', conflicts: ['reject'], describe: 'write them; they then count as your own words' })
      .option('reject', { type: 'boolean', describe: 'drop them; the journal keeps a record' }),
  run: async ({ id: ids, approve = false, reject = false }, context) => {
    const { config, isJson, world } = context
    const isDecision = approve || reject
    if (isDecision && ids.length === 0) return failed(usage(NO_ID))
    if (isDecision && !config.ok) return failed(config.error)
    if (ids.length > 0) {
      const found = await findAll(ids, context)
      if (isRefusal(found)) return found
      return isDecision ? decide(approve ? 'approve' : 'reject', found, context) : showPending(found, true, context)
    }
    if (!isJson && hasPerson(world) && config.ok) return ask(context)
    const listed = await openPending(context).list()
    return listed.ok ? showPending(listed.value, false, context) : failed(listed.error)
  },
})
