/** Removes an erased text from a session record: its frozen block, its unread turns, recalled text, and the names of loaded skills. Pure. */

import { ENTRY_DELIMITER } from '../memory/memory-limits.ts'
import { OUTSIDE_HEADING } from '../memory/outside-heading.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { BLOCK_HEADING, unquoteLines } from '../text/block-heading.ts'
import type { RecalledTurn } from './recalled-turns.ts'
import { noteBlockChange, type SessionRecord, withoutCalls } from './session-record.ts'

/** The text to erase. */
export interface TextRedaction {
  readonly matches: (text: string) => boolean
  /** Returns the text without the part that matches. */
  readonly cut: (text: string) => string
  /** Epoch milliseconds of the erasure. */
  readonly at?: number
}

const SKILLS_HEADING = /═\nSKILLS /

const OUTSIDE = `${OUTSIDE_HEADING}\n`

const withoutMatches = (text: string, delimiter: string, { matches }: TextRedaction): string =>
  text
    .split(delimiter)
    .filter((part) => !matches(part) && !matches(unquoteLines(part)))
    .join(delimiter)

/** Redacts the entries of a store: its own, then those from outside. */
const redactEntries = (body: string, redaction: TextRedaction): string => {
  const at = body.indexOf(OUTSIDE)
  const own = withoutMatches(at < 0 ? body : body.slice(0, at).replace(/\n\n$/, ''), ENTRY_DELIMITER, redaction)
  const outside = at < 0 ? '' : withoutMatches(body.slice(at + OUTSIDE.length), ENTRY_DELIMITER, redaction)
  return [own, outside === '' ? '' : `${OUTSIDE}${outside}`].filter((part) => part !== '').join('\n\n')
}

/** Removes entries and catalogue lines that hold the text; a store that becomes empty loses its heading too. */
export const redactBlock = (block: string, redaction: TextRedaction): string => {
  if (!redaction.matches(block) && !redaction.matches(unquoteLines(block))) return block
  const [before = '', ...parts] = block.split(BLOCK_HEADING)
  const sections: string[] = [redactEntries(before, redaction)]
  for (let index = 0; index < parts.length; index += 2) {
    const [heading = '', body = ''] = parts.slice(index, index + 2)
    const isCatalog = SKILLS_HEADING.test(heading)
    const kept = isCatalog ? withoutMatches(body, '\n', redaction) : redactEntries(body, redaction)
    if (kept !== '') sections.push(`${heading.trimStart()}${kept}`)
  }
  const redacted = sections.filter((section) => section !== '').join('\n\n')
  if (!redaction.matches(redacted)) return redacted
  const cut = redaction.cut(redacted)
  return redaction.matches(cut) ? '' : cut
}

const holdsText = (messages: readonly TurnMessage[], { matches }: TextRedaction): boolean =>
  messages.some(({ text, toolNames = [] }) => matches(text) || toolNames.some(matches))

/** Removes recalled texts that contain the text; their message is then sent without them. */
const redactRecalled = (turns: readonly RecalledTurn[], { matches }: TextRedaction): readonly RecalledTurn[] =>
  turns.map((turn) => (turn.texts.some(matches) ? { ...turn, texts: turn.texts.filter((text) => !matches(text)) } : turn))

/** A call is kept as JSON. */
const holdsCall = ({ proof }: SessionRecord, { matches }: TextRedaction): boolean =>
  proof?.results.some(({ did }) => matches(did) || matches(did.replace(/\\n/g, '\n').replace(/\\(.)/g, '$1'))) === true

/** Removes each turn that contains the text as a whole, since the answer may repeat it in other words. */
export const redactRecord = (record: SessionRecord, redaction: TextRedaction): SessionRecord => {
  const block = redactBlock(record.block, redaction)
  return {
    ...(holdsCall(record, redaction) ? withoutCalls(record) : record),
    block,
    ...(block === record.block || record.userTurns === 0 ? {} : noteBlockChange(record, redaction.at ?? 0)),
    unread: record.unread.filter(({ messages }) => !holdsText(messages, redaction)),
    ...(record.loadedSkills ? { loadedSkills: record.loadedSkills.filter((name) => !redaction.matches(name)) } : {}),
    ...(record.loadedInTurn ? { loadedInTurn: record.loadedInTurn.filter((name) => !redaction.matches(name)) } : {}),
    ...(record.failedUses
      ? { failedUses: record.failedUses.filter(({ skill, tool }) => !redaction.matches(skill) && !redaction.matches(tool)) }
      : {}),
    ...(record.recalled ? { recalled: redactRecalled(record.recalled, redaction) } : {}),
  }
}

/** Removes one text from the parts of an open session, which needs this code for nothing else. */
export const recordRedactor = (redaction: TextRedaction) => ({
  holds: (messages: readonly TurnMessage[]) => holdsText(messages, redaction),
  block: (block: string) => redactBlock(block, redaction),
  record: (record: SessionRecord) => redactRecord(record, redaction),
})

export type RecordRedactor = ReturnType<typeof recordRedactor>
