/** Turns that have ended in this process, until they are saved: whose words they hold is proven behind the turn. */
import type { TurnMessage } from '../proposal/turn-message.ts'
import { outsideSight } from './outside-sight.ts'
import type { OwnWords } from './own-words.ts'
import type { Proof } from './proof.ts'
import type { FinishedTurn } from './turn.ts'
import { type BoundedTurns, boundTurns, toUnreadTurn, type UnnumberedTurn } from './unread-turns.ts'

export interface TurnBufferDeps {
  readonly own: OwnWords
  /** False: no text is stored. */
  readonly keepText: boolean
  /** What other processes of the session have proven; undefined if there is no record. */
  readonly readProof: () => Promise<Proof | undefined>
}

/** Turns in the form in which they are stored. */
export interface TurnsToSave {
  /** From before the session had a record. */
  readonly before: readonly UnnumberedTurn[]
  readonly now: readonly UnnumberedTurn[]
}

export interface TurnBuffer {
  /** True once it is known whether there are turns from before the session. */
  readonly knowsEarlier: boolean
  /** Turns from before the session had a record; they stay until a save has stored the record. */
  setEarlier(turns: readonly FinishedTurn[]): void
  add(turn: FinishedTurn): void
  /**
   * Takes the turns at once, and resolves to what is to be stored; until `saved` or `failed` is called, they still count for `holdsOutside`. `tainted`: text
   * from outside was in sight before, so only the words of the user have to be proven.
   */
  take(tainted: boolean): Promise<TurnsToSave>
  saved(): void
  /** Keeps the turns for the next save, within the limits; resolves to the number that found no room. */
  failed(turns: TurnsToSave): number
  /** True if a turn, or what was shown before it, holds text from outside. */
  holdsOutside(): Promise<boolean>
  redact(isKept: (messages: readonly TurnMessage[]) => boolean): void
  forget(): void
}

/** `knowsEarlier`: there are no turns from before the session. */
export const createTurnBuffer = ({ own, keepText, readProof }: TurnBufferDeps, knowsEarlier: boolean): TurnBuffer => {
  const sight = outsideSight()
  let earlier: readonly FinishedTurn[] | undefined = knowsEarlier ? [] : undefined
  let finished: readonly FinishedTurn[] = []
  // Turns of saves that failed.
  let waiting: readonly UnnumberedTurn[] = []
  let underWay: { readonly finished: readonly FinishedTurn[]; readonly waiting: readonly UnnumberedTurn[] } = { finished: [], waiting: [] }

  const keep = async (turns: readonly FinishedTurn[]): Promise<readonly UnnumberedTurn[]> => {
    const kept: UnnumberedTurn[] = []
    for (const { messages, worked, before } of turns) {
      const proven = await own.prove(messages)
      const seen = sight.ofTurn(proven, await own.prove(before))
      kept.push(toUnreadTurn(keepText ? proven : [], worked, seen))
    }
    return kept
  }

  /** Asks other processes of the session for proof of what this one cannot prove. */
  const catchUp = async (turns: readonly FinishedTurn[], tainted: boolean): Promise<void> => {
    const shown = turns.flatMap(({ messages, before }) =>
      tainted ? messages.filter(({ role }) => role === 'user') : [...before, ...messages],
    )
    if (await own.isProven(shown)) return
    const proof = await readProof()
    if (proof) own.add(proof)
  }

  const isOutside = async (messages: readonly TurnMessage[]): Promise<boolean> => sight.holdsOutside(await own.prove(messages))

  return {
    get knowsEarlier() {
      return earlier !== undefined
    },
    setEarlier(turns) {
      earlier = turns
    },
    add(turn) {
      finished = [...finished, turn]
    },
    async take(tainted) {
      underWay = { finished, waiting }
      const [before, now, kept] = [earlier ?? [], finished, waiting]
      finished = []
      waiting = []
      await catchUp(now, tainted)
      return { before: await keep(before), now: [...kept, ...(await keep(now))] }
    },
    saved() {
      underWay = { finished: [], waiting: [] }
      if (earlier !== undefined) earlier = []
    },
    failed({ now }) {
      underWay = { finished: [], waiting: [] }
      const bounded: BoundedTurns<UnnumberedTurn> = boundTurns([...now, ...waiting])
      waiting = bounded.turns
      return bounded.dropped
    },
    async holdsOutside() {
      if ([...underWay.waiting, ...waiting].some(({ outside, tainted }) => outside === true || tainted === true)) return true
      const turns = [...(earlier ?? []), ...underWay.finished, ...finished]
      await catchUp(turns, false)
      for (const { messages, before } of turns) if ((await isOutside(before)) || (await isOutside(messages))) return true
      return false
    },
    redact(isKept) {
      sight.forget()
      finished = finished.filter(({ messages }) => isKept(messages))
      waiting = waiting.filter(({ messages }) => isKept(messages))
      earlier = earlier?.filter(({ messages }) => isKept(messages))
    },
    forget() {
      sight.forget()
      finished = []
      waiting = []
    },
  }
}
