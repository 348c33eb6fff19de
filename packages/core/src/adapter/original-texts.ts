/**
 * Several providers sign reasoning and refuse a prompt in which it comes back changed. Where a repeated fence was removed from it, this process sends the original
 * again, to the provider and in the same session only: it contains what was recalled for its owner.
 */
import type { Session } from '../session/session.ts'

/** Maximum number of texts to remember for a session; they are needed only until the turn is over. */
const MAX_REMEMBERED = 100

/** What was shown of texts of one session, and what they were. */
export interface OriginalTexts<Prompt = unknown> {
  note(shown: string, original: string): void
  /** The same object if nothing is to be restored. */
  restore(prompt: Prompt): Prompt
}

/** Puts originals into a copy of a prompt. `originalOf`: undefined for a text that was shown as it is. */
export type RestoreTexts<Prompt> = (prompt: Prompt, originalOf: (shown: string) => string | undefined) => Prompt

const textsOfSession = <Prompt>(restore: RestoreTexts<Prompt>): OriginalTexts<Prompt> => {
  const originals = new Map<string, string>()
  return {
    note(shown, original) {
      originals.delete(shown)
      originals.set(shown, original)
      const [oldest] = originals.keys()
      if (originals.size > MAX_REMEMBERED && oldest !== undefined) originals.delete(oldest)
    },
    restore: (prompt) => (originals.size === 0 ? prompt : restore(prompt, (shown) => originals.get(shown))),
  }
}

/** Returns the texts of a session: the same for the same session, none of another one. */
export const originalTexts = <Prompt>(restore: RestoreTexts<Prompt>): ((session: Session) => OriginalTexts<Prompt>) => {
  const known = new WeakMap<Session, OriginalTexts<Prompt>>()
  return (session) => {
    const texts = known.get(session) ?? textsOfSession(restore)
    known.set(session, texts)
    return texts
  }
}
