/** Turns that have ended in this process, until they are saved: whose words they hold is proven behind the turn. */
import { splitUserMessage } from '../proposal/own-words.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { OwnWords } from './own-words.ts'
import type { TurnsToSave } from './plan-save.ts'
import type { Proof } from './proof.ts'
import type { FinishedTurn } from './turn.ts'
import { boundTurns, toUnreadTurn, type UnnumberedTurn } from './unread-turns.ts'

/**
 * Determines whether proven messages hold text from outside. Hosts show the whole conversation every turn, so the finding for each user message is cached
 * until the next turn.
 */
export class OutsideSight {
  // By the text of a user's message: findings of the previous turn, and of the current one.
  #older = new Map<string, boolean>()
  #newer = new Map<string, boolean>()

  /** `messages`: as returned by `OwnWords.prove`. */
  holdsOutside(messages: readonly TurnMessage[]): boolean {
    return messages.some((message) => this.#isOutside(message))
  }

  /** For a turn that has ended: whether it, and whether the messages before it, hold text from outside. */
  ofTurn(messages: readonly TurnMessage[], before: readonly TurnMessage[]): { readonly outside: boolean; readonly tainted: boolean } {
    this.#older = this.#newer
    this.#newer = new Map()
    return { outside: this.holdsOutside(messages), tainted: this.holdsOutside(before) }
  }

  /** Drops the cache. */
  forget(): void {
    this.#older = new Map()
    this.#newer = new Map()
  }

  #isOutside(message: TurnMessage): boolean {
    if (message.outside === true) return true
    if (message.role === 'user') return this.#isPasted(message)
    return message.role === 'tool' && message.trusted !== true
  }

  #isPasted(message: TurnMessage): boolean {
    const { text } = message
    const known = this.#newer.get(text) ?? this.#older.get(text)
    const found = known ?? splitUserMessage(message).some(({ outside }) => outside === true)
    this.#newer.set(text, found)
    return found
  }
}

interface SavingTurns {
  readonly finished: readonly FinishedTurn[]
  readonly waiting: readonly UnnumberedTurn[]
}

const NOTHING: SavingTurns = { finished: [], waiting: [] }

export class TurnBuffer {
  readonly #own: OwnWords
  readonly #keepText: boolean
  readonly #readProof: () => Promise<Proof | undefined>
  readonly #sight = new OutsideSight()
  #earlier: readonly FinishedTurn[] | undefined
  #finished: readonly FinishedTurn[] = []
  // Turns of saves that failed.
  #waiting: readonly UnnumberedTurn[] = []
  #saving = NOTHING

  /** `readProof`: what other processes of the session have proven; undefined if there is no record. `knowsEarlier`: there are no turns from before the session. */
  constructor(own: OwnWords, keepText: boolean, readProof: () => Promise<Proof | undefined>, knowsEarlier: boolean) {
    this.#own = own
    this.#keepText = keepText
    this.#readProof = readProof
    this.#earlier = knowsEarlier ? [] : undefined
  }

  /** True once it is known whether there are turns from before the session. */
  get knowsEarlier(): boolean {
    return this.#earlier !== undefined
  }

  /** Turns from before the session had a record; they stay until a save has stored the record. */
  setEarlier(turns: readonly FinishedTurn[]): void {
    this.#earlier = turns
  }

  add(turn: FinishedTurn): void {
    this.#finished = [...this.#finished, turn]
  }

  /**
   * Takes the turns at once, and resolves to what is to be stored; until `saved` or `failed` is called, they still count for `holdsOutside`. `tainted`: text
   * from outside was in sight before, so only the words of the user have to be proven.
   */
  async take(tainted: boolean): Promise<TurnsToSave> {
    const [before, now, kept] = [this.#earlier ?? [], this.#finished, this.#waiting]
    this.#saving = { finished: now, waiting: kept }
    this.#finished = []
    this.#waiting = []
    await this.#catchUp(now, tainted)
    return { before: await this.#keep(before), now: [...kept, ...(await this.#keep(now))] }
  }

  saved(): void {
    this.#saving = NOTHING
    if (this.#earlier !== undefined) this.#earlier = []
  }

  /** Keeps the turns for the next save, within the limits; returns the number that found no room. */
  failed({ now }: TurnsToSave): number {
    this.#saving = NOTHING
    const bounded = boundTurns<UnnumberedTurn>([...now, ...this.#waiting])
    this.#waiting = bounded.turns
    return bounded.dropped
  }

  /** True if a turn, or what was shown before it, holds text from outside. */
  async holdsOutside(): Promise<boolean> {
    const { finished, waiting } = this.#saving
    if ([...waiting, ...this.#waiting].some(({ outside, tainted }) => outside === true || tainted === true)) return true
    const turns = [...(this.#earlier ?? []), ...finished, ...this.#finished]
    await this.#catchUp(turns, false)
    for (const { messages, before } of turns) if ((await this.#isOutside(before)) || (await this.#isOutside(messages))) return true
    return false
  }

  redact(isKept: (messages: readonly TurnMessage[]) => boolean): void {
    this.#sight.forget()
    this.#finished = this.#finished.filter(({ messages }) => isKept(messages))
    this.#waiting = this.#waiting.filter(({ messages }) => isKept(messages))
    this.#earlier = this.#earlier?.filter(({ messages }) => isKept(messages))
  }

  forget(): void {
    this.#sight.forget()
    this.#finished = []
    this.#waiting = []
  }

  async #keep(turns: readonly FinishedTurn[]): Promise<readonly UnnumberedTurn[]> {
    const kept: UnnumberedTurn[] = []
    for (const { messages, worked, before } of turns) {
      const proven = await this.#own.prove(messages)
      const seen = this.#sight.ofTurn(proven, await this.#own.prove(before))
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
    return this.#sight.holdsOutside(await this.#own.prove(messages))
  }
}
