/** Which acknowledged turns no review has read yet. Holds only those, so that it does not grow with the turns. */
export interface TurnLedger {
  /** The user's words of the next turn, with a mark of their own. */
  readonly nextWords: (session: string) => string
  /** Strikes out every turn whose mark is in the text of a review's request. */
  readonly strikeRead: (text: string) => void
  /** Number of turns that no review has read: of one session, or of all. */
  readonly unread: (session?: string) => number
  /** Number of those whose mark is not in this text. */
  readonly missingFrom: (text: string) => number
  /** The session was forgotten, with the turns that waited. */
  readonly forget: (session: string) => void
}

const MARK = /turn-(\d+)-of-([\w-]+)-end/g

const markOf = (turn: number, session: string): string => `turn-${turn}-of-${session}-end`

/** The fact is a sentence of its own, because a review quotes it. */
const factOf = (turn: number): string => `Service ${turn} is deployed from host h${turn % 97}.`

export const turnLedger = (): TurnLedger => {
  const unread = new Map<string, Set<number>>()
  let turns = 0
  return {
    nextWords(session) {
      const turn = ++turns
      const ofSession = unread.get(session) ?? new Set()
      unread.set(session, ofSession.add(turn))
      return `${factOf(turn)} Please write that into the notes of ${markOf(turn, session)}, and tell me who owns it.`
    },
    strikeRead(text) {
      for (const [, turn, session = ''] of text.matchAll(MARK)) {
        const ofSession = unread.get(session)
        ofSession?.delete(Number(turn))
        if (ofSession?.size === 0) unread.delete(session)
      }
    },
    unread(session) {
      if (session !== undefined) return unread.get(session)?.size ?? 0
      return [...unread.values()].reduce((sum, { size }) => sum + size, 0)
    },
    missingFrom(text) {
      const marks = [...unread].flatMap(([session, ofSession]) => [...ofSession].map((turn) => markOf(turn, session)))
      return marks.filter((mark) => !text.includes(mark)).length
    },
    forget(session) {
      unread.delete(session)
    },
  }
}
