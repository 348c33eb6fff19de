/** Asks the memory provider once for each user turn, and shows the answers again in all later calls of the session (DESIGN 5). */
import { splitOwnWords } from '../proposal/own-words.ts'
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { fenceContext } from '../provider/context-fence.ts'
import type { ProviderConnection } from '../provider/provider-connection.ts'
import {
  charsOfTexts,
  MAX_RECALLED_CHARS,
  matchRecalled,
  namesOfOwn,
  newestOwnIndex,
  placeOfNewest,
  withPlaceholders,
} from './recalled-turns.ts'
import type { RecalledText, Session } from './session.ts'
import type { SessionNesting } from './session-nesting.ts'
import type { SessionStore } from './session-store.ts'
import { newestTurn, splitTurn, turnKeyOf } from './turn.ts'
import { areMessages } from './valid-messages.ts'

export interface SessionRecallDeps {
  readonly sessionId: string
  /** Undefined if the home has no memory provider. */
  readonly provider: Pick<ProviderConnection, 'turnStarted' | 'recall'> | undefined
  /** Maximum UTF-16 characters recalled for a turn; 0 = none. */
  readonly recallChars: number
  readonly nesting: Pick<SessionNesting, 'wouldNest'>
  /** Undefined until the session is open. */
  readonly store: () => SessionStore | undefined
  /** The open session; undefined if it runs without memory. */
  readonly whenOpen: () => Promise<SessionStore | undefined>
  /** Waits for the storage no longer than a turn may; then the work continues behind. */
  readonly inTime: (work: Promise<void>) => Promise<unknown>
  /** Called with what was thrown, a defect. */
  readonly crashed: (cause: unknown) => void
  /** Called once, when the conversation shows so much recalled text that nothing more is recalled in it. */
  readonly onFull: (chars: number) => void
}

export interface SessionRecall extends Pick<Session, 'recall'> {
  /** The messages with a placeholder behind each that was sent with recalled text, as they are recorded. */
  seen(messages: readonly TurnMessage[]): readonly TurnMessage[]
  /** Called when a turn was counted as begun, or reported as a whole: from then on the same words are another turn, or a step of this one. */
  turnBegan(prompt: readonly TurnMessage[]): void
}

const NONE: readonly RecalledText[] = []

/** What the user said in the newest turn, without what they quote or paste. */
const ownWordsOf = (prompt: readonly TurnMessage[]): string =>
  splitTurn(newestTurn(prompt) ?? [])
    .words.filter(isOwnMessage)
    .flatMap(({ text }) => splitOwnWords(text).filter(({ outside }) => !outside))
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .join('\n')

/** True for the only message of a conversation: nothing can have been recalled before. */
const isFirst = (prompt: readonly TurnMessage[]): boolean =>
  prompt.every(({ role }) => role === 'user') && prompt.filter(isOwnMessage).length === 1

export const sessionRecall = (deps: SessionRecallDeps): SessionRecall => {
  const { sessionId, provider, recallChars, nesting } = deps
  // By the key of the turn, until it has begun: calls of one turn at once share the answer.
  const asked = new Map<string, Promise<readonly string[]>>()
  const begun = new Map<string, Promise<void>>()
  // The user's messages in the newest prompt of this process; undefined before the first.
  let seen: ReadonlySet<string> | undefined
  let isFull = false

  const ask = async (prompt: readonly TurnMessage[], known: ReadonlySet<string>): Promise<readonly string[]> => {
    const text = ownWordsOf(prompt)
    if (!provider || text === '') return []
    provider.turnStarted({ sessionId, text })
    return recallChars === 0 ? [] : provider.recall({ sessionId, text, known })
  }

  /** Texts that the prompt shows already are not recalled again. */
  const askFor = async (prompt: readonly TurnMessage[], at: number, opened: SessionStore): Promise<readonly string[]> => {
    const shown = matchRecalled(prompt, opened.recalled, at).flatMap(({ texts }) => texts)
    const chars = charsOfTexts(shown)
    if (chars + recallChars <= MAX_RECALLED_CHARS) return ask(prompt, new Set(shown))
    if (!isFull) deps.onFull(chars)
    isFull = true
    return []
  }

  const begin = async (prompt: readonly TurnMessage[], opened: SessionStore, early: Promise<readonly string[]> | undefined) => {
    const at = newestOwnIndex(prompt)
    const place = placeOfNewest(prompt, opened.recalled)
    if (at === undefined || !place || place.known) return
    const texts = await (early ?? askFor(prompt, at, opened))
    const { known: _, ...turn } = place
    if (recallChars > 0) opened.noteRecalled({ ...turn, texts })
  }

  /** Another process of this session may have sent messages that this one has not seen. */
  const catchUp = async (prompt: readonly TurnMessage[], opened: SessionStore): Promise<void> => {
    const names = namesOfOwn(prompt)
    const before = seen
    seen = new Set(names.flat())
    const isNew = (name: string) => before?.has(name) === false
    if (names.slice(0, -1).flat().some(isNew)) await deps.inTime(opened.reloadRecalled())
  }

  /** Calls `work` unless it is known for the key. */
  const once = <T>(known: Map<string, T>, key: string, work: () => T): T => {
    const done = known.get(key) ?? work()
    known.set(key, done)
    return done
  }

  const recall = async (prompt: readonly TurnMessage[]): Promise<readonly RecalledText[]> => {
    const key = turnKeyOf(prompt) ?? ''
    // A provider that is asked for the first message need not wait for the storage.
    const early = deps.store() === undefined && isFirst(prompt) ? once(asked, key, () => ask(prompt, new Set())) : undefined
    const opened = await deps.whenOpen()
    if (!opened) return NONE
    await catchUp(prompt, opened)
    if (opened.startsTurn(prompt)) await once(begun, key, () => begin(prompt, opened, early))
    return matchRecalled(prompt, opened.recalled).flatMap(({ index, texts }) => {
      const text = fenceContext(texts.join('\n\n'))
      return text === '' ? [] : [{ index, text }]
    })
  }

  return {
    async recall(prompt, { nested } = {}) {
      try {
        return provider && areMessages(prompt) && !nesting.wouldNest(prompt, nested) ? await recall(prompt) : NONE
      } catch (cause) {
        deps.crashed(cause)
        return NONE
      }
    },
    turnBegan(prompt) {
      const key = turnKeyOf(prompt) ?? ''
      asked.delete(key)
      begun.delete(key)
    },
    seen(messages) {
      const { recalled = [] } = deps.store() ?? {}
      return withPlaceholders(messages, recalled)
    },
  }
}
