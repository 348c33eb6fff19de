/** Removes an erased text from a session record: its frozen block, its unread turns, recalled text, and the names of loaded skills. Pure. */
import { ENTRY_DELIMITER } from '../memory/entry-list.ts'
import { OUTSIDE_HEADING } from '../memory/outside-heading.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { type Proof, withoutTexts } from './proof.ts'
import type { RecalledTurn } from './recalled-turns.ts'
import { addChanges, type SessionDelta, type SessionRecord } from './session-record.ts'

/** The text to erase. */
export interface TextRedaction {
  readonly matches: (text: string) => boolean
  /** Returns the text without the part that matches. */
  readonly cut: (text: string) => string
  /** Epoch milliseconds of the erasure. */
  readonly at?: number
}

/** The heading of a store or of the catalogue, with the blank line before it. */
const HEADING = /((?:^|\n\n)═{46}\n[^\n]*\n═{46}\n)/

const SKILLS_HEADING = /═\nSKILLS /

const OUTSIDE = `${OUTSIDE_HEADING}\n`

const unquoted = (text: string): string => text.replace(/(^|[\n\v\f\u0085\u2028\u2029])> /g, '$1')

const withoutMatches = (text: string, delimiter: string, { matches }: TextRedaction): string =>
  text
    .split(delimiter)
    .filter((part) => !matches(part) && !matches(unquoted(part)))
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
  if (!redaction.matches(block) && !redaction.matches(unquoted(block))) return block
  const [before = '', ...parts] = block.split(HEADING)
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

const redactNames = (names: readonly string[], { matches }: TextRedaction): readonly string[] => names.filter((name) => !matches(name))

/** Removes recalled texts that contain the text; their message is then sent without them. */
const redactRecalled = (turns: readonly RecalledTurn[], { matches }: TextRedaction): readonly RecalledTurn[] =>
  turns.map((turn) => (turn.texts.some(matches) ? { ...turn, texts: turn.texts.filter((text) => !matches(text)) } : turn))

/** A call is kept as JSON. */
const redactProof = (proof: Proof, { matches }: TextRedaction): Proof =>
  proof.results.some(({ did }) => matches(did) || matches(did.replace(/\\n/g, '\n').replace(/\\(.)/g, '$1'))) ? withoutTexts(proof) : proof

/** A text that was in a prompt, and is now another one, counts as a change. */
const redactPrefix = ({ block, changed, userTurns }: SessionRecord, redaction: TextRedaction): Pick<SessionRecord, 'block' | 'changed'> => {
  const next = redactBlock(block, redaction)
  const change = { times: 1, at: redaction.at ?? 0, turns: 0 }
  return { block: next, ...(next === block || userTurns === 0 ? {} : addChanges(changed, change, userTurns)) }
}

/** Removes each turn that contains the text as a whole, since the answer may repeat it in other words. */
export const redactRecord = (record: SessionRecord, redaction: TextRedaction): SessionRecord => ({
  ...record,
  ...redactPrefix(record, redaction),
  unread: record.unread.filter(({ messages }) => !holdsText(messages, redaction)),
  ...(record.loadedSkills ? { loadedSkills: redactNames(record.loadedSkills, redaction) } : {}),
  ...(record.recalled ? { recalled: redactRecalled(record.recalled, redaction) } : {}),
  ...(record.proof ? { proof: redactProof(record.proof, redaction) } : {}),
})

/** The same for changes that are not saved yet. */
export const redactDelta = (delta: SessionDelta, redaction: TextRedaction): SessionDelta => ({
  ...delta,
  ...(delta.block === undefined ? {} : { block: redactBlock(delta.block, redaction) }),
  ...(delta.loadedSkills ? { loadedSkills: redactNames(delta.loadedSkills, redaction) } : {}),
  ...(delta.recalled ? { recalled: redactRecalled(delta.recalled, redaction) } : {}),
  ...(delta.proof ? { proof: redactProof(delta.proof, redaction) } : {}),
})

/** Removes one text from the parts of an open session, which needs this code for nothing else. */
export const recordRedactor = (redaction: TextRedaction) => ({
  holds: (messages: readonly TurnMessage[]) => holdsText(messages, redaction),
  block: (block: string) => redactBlock(block, redaction),
  record: (record: SessionRecord) => redactRecord(record, redaction),
  delta: (delta: SessionDelta) => redactDelta(delta, redaction),
  recalled: (turns: readonly RecalledTurn[]) => redactRecalled(turns, redaction),
})

export type RecordRedactor = ReturnType<typeof recordRedactor>
