/** The turns of a session in this process, until they are saved: whose words they hold is proven behind the turn. */
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { OwnWords } from './own-words.ts'
import type { TurnsToSave } from './plan-save.ts'
import type { Proof, SessionRecord } from './session-record.ts'
import { type FinishedTurn, OpenTurns, turnsBeforeLast } from './turn.ts'
import { boundTurns, placeOf, toUnreadTurn, type UnnumberedTurn } from './unread-turns.ts'

interface SavingTurns {
  readonly finished: readonly FinishedTurn[]
  readonly waiting: readonly UnnumberedTurn[]
  readonly shown: readonly TurnMessage[] | undefined
}

const NOTHING: SavingTurns = { finished: [], waiting: [], shown: undefined }

export class TurnBuffer {
  readonly open: OpenTurns
  /** Turns from before the session had a record; they stay until a save has stored the record. Undefined until it is known whether there are any. */
  earlier: readonly FinishedTurn[] | undefined
  readonly #own: OwnWords
  readonly #keepText: boolean
  readonly #readProof: () => Promise<Proof | undefined>
  #finished: readonly FinishedTurn[] = []
  // Turns of saves that failed.
  #waiting: readonly UnnumberedTurn[] = []
  #saving = NOTHING
  // What the host showed for the newest finished turn.
  #shown: readonly TurnMessage[] | undefined
  // Number of turns that failed saves have dropped.
  #dropped = 0

  /** `readProof`: what other processes of the session have proven; undefined if there is no record. */
  constructor(own: OwnWords, record: SessionRecord, keepText: boolean, readProof: () => Promise<Proof | undefined>) {
    this.open = new OpenTurns(record)
    this.#own = own
    this.#keepText = keepText
    this.#readProof = readProof
  }

  /**
   * Queues the unread turns of a history with which a session starts (the host's record outlived ours). Returns how many turns it has; 0 if they are known.
   */
  noteEarlier(prompt: readonly TurnMessage[], unreadOf: (turns: number) => number): number {
    if (this.earlier) return 0
    const before = turnsBeforeLast(prompt)
    const unread = unreadOf(before.length)
    this.earlier = unread > 0 ? before.slice(-unread) : []
    return before.length
  }

  /** `saw`: what the host showed for the turn. */
  add(turn: FinishedTurn, saw: readonly TurnMessage[]): void {
    this.#finished = [...this.#finished, turn]
    this.#shown = saw
  }

  /**
   * Takes the turns at once, and resolves to what is to be stored; until `saved` or `failed` is called, they still count for `holdsOutside`. `tainted`: text
   * from outside was in sight before, so only the words of the user have to be proven.
   */
  async take(tainted: boolean): Promise<TurnsToSave> {
    const { newest } = this.open
    const [before, now, kept, shown] = [this.earlier ?? [], this.#finished, this.#waiting, this.#shown]
    this.#saving = { finished: now, waiting: kept, shown }
    this.#finished = []
    this.#waiting = []
    this.#shown = undefined
    await this.#catchUp(now, tainted)
    const said = { before: await this.#keep(before, false), now: [...kept, ...(await this.#keep(now, true))] }
    return { ...said, newest, shown: shown && (await this.#own.prove(shown)) }
  }

  /** Returns the number of turns that earlier saves have dropped. */
  saved(): number {
    const dropped = this.#dropped
    this.#saving = NOTHING
    this.#dropped = 0
    if (this.earlier !== undefined) this.earlier = []
    return dropped
  }

  /** Keeps the turns for the next save, within the limits. */
  failed({ now }: Pick<TurnsToSave, 'now'>): void {
    this.#shown ??= this.#saving.shown
    this.#saving = NOTHING
    const bounded = boundTurns<UnnumberedTurn>([...now, ...this.#waiting])
    this.#waiting = bounded.turns
    this.#dropped += bounded.dropped
  }

  /** True if a turn, or what was shown before it, holds text from outside. */
  async holdsOutside(): Promise<boolean> {
    const { finished, waiting } = this.#saving
    if ([...waiting, ...this.#waiting].some(({ outside, tainted }) => outside === true || tainted === true)) return true
    const turns = [...(this.earlier ?? []), ...finished, ...this.#finished]
    await this.#catchUp(turns, false)
    for (const { messages, before } of turns) if ((await this.#isOutside(before)) || (await this.#isOutside(messages))) return true
    return false
  }

  redact(isKept: (messages: readonly TurnMessage[]) => boolean): void {
    this.#finished = this.#finished.filter(({ messages }) => isKept(messages))
    this.#waiting = this.#waiting.filter(({ messages }) => isKept(messages))
    this.earlier = this.earlier?.filter(({ messages }) => isKept(messages))
    this.#shown = this.#shown?.filter((message) => isKept([message]))
  }

  forget(): void {
    this.#finished = []
    this.#waiting = []
  }

  /** `hasPlaces`: false for what a host shows before its first turn, which may be examples that it shows before every other turn too. */
  async #keep(turns: readonly FinishedTurn[], hasPlaces: boolean): Promise<readonly UnnumberedTurn[]> {
    const kept: UnnumberedTurn[] = []
    for (const { messages, worked, before } of turns) {
      const proven = await this.#own.prove(messages)
      const places = hasPlaces ? { place: placeOf(before), next: placeOf([...before, ...messages]) } : {}
      const seen = { outside: this.#own.holdOutside(proven), tainted: await this.#isOutside(before), ...places }
      kept.push(toUnreadTurn(this.#keepText ? proven : [], worked, seen))
    }
    return kept
  }

  /** Asks other processes of the session for proof of what this one cannot prove. */
  async #catchUp(turns: readonly FinishedTurn[], tainted: boolean): Promise<void> {
    const shown = turns.flatMap(({ messages, before }) =>
      tainted ? messages.filter(({ role }) => role === 'user') : [...before, ...messages],
    )
    if (await this.#own.isProven(shown)) return
    const proof = await this.#readProof()
    if (proof) this.#own.add(proof)
  }

  async #isOutside(messages: readonly TurnMessage[]): Promise<boolean> {
    return this.#own.holdOutside(await this.#own.prove(messages))
  }
}
