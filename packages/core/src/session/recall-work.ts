/** The questions of one session to the memory provider, and what its calls are shown. Loaded at the first question. */
import { isOwnMessage, type TurnMessage } from '../proposal/turn-message.ts'
import { fenceContext } from '../provider/context-fence.ts'
import type { LazySession } from './lazy-session.ts'
import { charsOfTexts, MAX_RECALLED_CHARS, matchRecalled, namesOfOwn, placeOfNewest } from './recalled-turns.ts'
import type { RecalledText } from './session.ts'
import type { SessionContext } from './session-context.ts'
import type { SessionState } from './session-state.ts'
import { newestTurn, splitTurn, turnKeyOf } from './turn.ts'

const NONE: readonly RecalledText[] = []

/** What the user said in the newest turn, without what they quote or paste. */
const ownWordsOf = async (prompt: readonly TurnMessage[]): Promise<string> => {
  const { splitOwnWords } = await import('../proposal/own-words.ts')
  return splitTurn(newestTurn(prompt) ?? [])
    .words.filter(isOwnMessage)
    .flatMap(({ text }) => splitOwnWords(text).filter(({ outside }) => !outside))
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')
    .join('\n')
}

export type RecallContext = Pick<SessionContext, 'home' | 'id' | 'place' | 'provider' | 'nesting' | 'inTime' | 'crashed'>

export class RecallWork {
  readonly #context: RecallContext
  readonly #open: Pick<LazySession, 'state' | 'whenOpen'>
  // By the key of the turn, until it has begun: calls of one turn at once share the answer.
  readonly #begun = new Map<string, Promise<void>>()
  // The user's messages in the newest prompt of this process; undefined before the first.
  #seen: ReadonlySet<string> | undefined
  #isFull = false

  constructor(context: RecallContext, open: Pick<LazySession, 'state' | 'whenOpen'>) {
    this.#context = context
    this.#open = open
  }

  turnBegan(prompt: readonly TurnMessage[]): void {
    this.#begun.delete(turnKeyOf(prompt) ?? '')
  }

  async recall(prompt: readonly TurnMessage[]): Promise<readonly RecalledText[]> {
    const opened = await this.#open.whenOpen()
    if (!opened) return NONE
    await this.#catchUp(prompt, opened)
    if (opened.startsTurn(prompt)) await this.#beginOnce(prompt, opened)
    return matchRecalled(prompt, opened.recalled).flatMap(({ index, turn }) => {
      const text = fenceContext(turn.texts.join('\n\n'))
      return text === '' ? [] : [{ index, text }]
    })
  }

  /** Another process of this session may have sent messages that this one has not seen. */
  async #catchUp(prompt: readonly TurnMessage[], opened: SessionState): Promise<void> {
    const names = namesOfOwn(prompt)
    const before = this.#seen
    this.#seen = new Set(names.flat())
    const isNew = (name: string) => before?.has(name) === false
    if (!names.slice(0, -1).flat().some(isNew)) return
    const reloaded = opened.reloadRecalled().then(() => true)
    await this.#context.inTime('load session', reloaded)
  }

  async #beginOnce(prompt: readonly TurnMessage[], opened: SessionState): Promise<void> {
    const key = turnKeyOf(prompt) ?? ''
    const begun = this.#begun.get(key) ?? this.#begin(prompt, opened)
    this.#begun.set(key, begun)
    await begun
  }

  async #begin(prompt: readonly TurnMessage[], opened: SessionState): Promise<void> {
    const place = placeOfNewest(prompt, opened.recalled)
    if (!place || place.known) return
    const texts = await this.#askFor(prompt, place.index, opened)
    if (this.#context.home.options.recallChars > 0) opened.noteRecalled({ ...place.turn, texts })
  }

  /** Texts that the prompt shows already are not recalled again. */
  async #askFor(prompt: readonly TurnMessage[], at: number, opened: SessionState): Promise<readonly string[]> {
    const { home, id } = this.#context
    const shown = matchRecalled(prompt, opened.recalled, at).flatMap(({ turn }) => turn.texts)
    const chars = charsOfTexts(shown)
    if (chars + home.options.recallChars <= MAX_RECALLED_CHARS) return this.#ask(prompt, new Set(shown))
    if (!this.#isFull) home.emit({ type: 'recall-full', sessionId: id, at: home.clock(), chars })
    this.#isFull = true
    return []
  }

  async #ask(prompt: readonly TurnMessage[], known: ReadonlySet<string>): Promise<readonly string[]> {
    const { home } = this.#context
    const { options } = home
    const text = await ownWordsOf(prompt)
    // The project of the session is known by now, so it is known whether the provider serves it.
    const { provider, place } = this.#context
    if (!provider || text === '') return []
    provider.turnStarted({ ...place, text })
    return options.recallChars === 0 ? [] : provider.recall({ ...place, text, known })
  }
}
