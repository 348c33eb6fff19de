/** The proposals that wait for a decision, with all the details needed to make it. */
import type { PendingProposal } from '@hermes/core'
import type { Answer } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { shortId } from '../../find-by-id.ts'
import { oneLine } from '../../terminal/clean-text.ts'
import { type Field, hint, renderFields } from '../../terminal/field-list.ts'
import { counted, relativeTime } from '../../terminal/format.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { describeAction, operationText } from '../journal/describe-op.ts'

const PREVIEW_LINES = 8

/** The beginning of a long text, and the length of the rest. */
const preview = (text: string, id: string): string => {
  const lines = text.split('\n')
  if (lines.length <= PREVIEW_LINES + 1) return text
  return `${lines.slice(0, PREVIEW_LINES).join('\n')}\n… ${lines.length - PREVIEW_LINES} more lines: hermes pending ${shortId(id)}`
}

/** The files that come with a held skill. */
const filesOf = (proposal: PendingProposal, whole: boolean): readonly Field[] => {
  const files = (proposal.target === 'skill' && proposal.files) || []
  return files.map(({ path, text, executable }) => [
    oneLine(`${path}${executable ? ' (executable)' : ''}`),
    text === undefined ? 'not text, so it is not shown' : whole ? text : preview(text, proposal.id),
  ])
}

/** `whole`: also of a long text. `now`: epoch milliseconds. */
export const renderPending = (proposal: PendingProposal, now: number, whole: boolean, terminal: Terminal): string => {
  const { id, at, ops, reason, rationale, origin, score, evidence, sessionId, project } = proposal
  const { bold, dim } = terminal.paint
  const all = [...ops]
  const texts = all.flatMap((op, index): readonly Field[] => {
    const text = operationText(op)
    const label = all.length === 1 ? 'text' : `${index + 1}. ${oneLine(describeAction(op, proposal))}`
    return text === '' ? [] : [[label, whole ? text : preview(text, id)]]
  })
  const [first] = all
  const title = first && all.length === 1 ? describeAction(first, proposal) : `${all.length} changes, all or none`
  const fields = renderFields(
    [
      ...texts,
      ...filesOf(proposal, whole),
      ['waits because', reason],
      ['proposed because', rationale],
      ['origin', origin === undefined ? undefined : `${origin}, score ${score}`],
      ['evidence', evidence.map(({ quote }) => `"${quote}"`).join('\n')],
      ['session', sessionId],
      ['project', project],
      ['model', proposal.target === 'skill' ? proposal.model : undefined],
    ],
    terminal,
  )
  return `${bold(shortId(id))}  ${oneLine(title)}  ${dim(relativeTime(at, now))}\n${fields}`
}

/** All of them; see `renderPending`. */
export const showPending = (pending: readonly PendingProposal[], whole: boolean, { clock }: Context): Answer => {
  const now = clock()
  return {
    value: { pending },
    text: (terminal) =>
      pending.length === 0
        ? 'Nothing waits for you.\n'
        : `${pending.map((proposal) => renderPending(proposal, now, whole, terminal)).join('\n')}\n${hint(
            `${counted(pending.length, 'proposal')} waiting. 'hermes pending <id> --approve' writes it, 'hermes pending <id> --reject' drops it.`,
            terminal,
          )}`,
  }
}
