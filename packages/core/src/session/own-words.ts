/**
 * Proves whose words a message is: the user's if it opened a turn of this session, the assistant's if this session saw a model give it, a tool's own if our
 * tool gave out exactly this result here. Whatever is not proven is from outside (DESIGN 5).
 */

import { splitOwnWords } from '../proposal/own-words.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { cutText } from '../shared/cut-text.ts'
import { sha256OfText } from '../shared/sha256.ts'
import { withoutSpace } from '../shared/without-space.ts'
import { redactCredentials } from '../threats/credentials/redact-credentials.ts'
import { joinProofs, NO_PROOF, type Proof } from './proof.ts'
import { openerOf } from './turn.ts'

const DIGEST_CHARS = 32

const digestOf = async (text: string): Promise<string> => (await sha256OfText(withoutSpace(text))).slice(0, DIGEST_CHARS)

/** The user's own words in a message, so that what is quoted in it makes no difference. */
const ownPartsOf = (text: string): string =>
  splitOwnWords(text)
    .filter(({ outside }) => !outside)
    .map((part) => part.text)
    .join('')

/** Computes something of a text once in two turns. */
const forTwoTurns = (compute: (text: string) => Promise<string>) => {
  let older = new Map<string, string>()
  let newer = new Map<string, string>()
  return {
    async of(text: string): Promise<string> {
      const found = newer.get(text) ?? older.get(text) ?? (await compute(text))
      newer.set(text, found)
      return found
    },
    nextTurn() {
      older = newer
      newer = new Map()
    },
    forget() {
      older = new Map()
      newer = new Map()
    },
  }
}

/** Number of interrupted answers that are kept, of which the host may show only the beginning. */
const MOST_INTERRUPTED = 5

export interface OwnWords {
  /** The newest user message of this prompt is the user's. */
  noteOpener(prompt: readonly TurnMessage[]): void
  /** What a model of this session answered. `interrupted`: the host may show only its beginning. */
  noteAnswer(reply: readonly TurnMessage[], interrupted?: boolean): void
  /** One of our tools gave out this result, which shows nothing from outside. `did`: what the first pass of a review is told. */
  noteResult(result: string, did: string): void
  /** Adds what other processes have saved. */
  add(proof: Proof): void
  /** True if all messages are proven, or marked as from outside. */
  isProven(messages: readonly TurnMessage[]): Promise<boolean>
  /**
   * Marks what is not proven as from outside, and replaces results of our own tools by what they did. `opens`: the newest user message counts as the user's,
   * for hosts that report no steps.
   */
  prove(messages: readonly TurnMessage[], opens?: boolean): Promise<readonly TurnMessage[]>
  /** What was noted since the last call. */
  take(): Promise<Proof>
  /** Drops all texts that are kept in memory; what is proven stays. */
  forgetTexts(): void
  /** Drops all that was noted and not taken, too. */
  forget(): void
}

/** `isTrusted`: the host vouches for the tool of this result. */
export const createOwnWords = (known: Proof, isTrusted: (message: TurnMessage) => boolean): OwnWords => {
  const said = new Set(known.said)
  const answered = new Set(known.answered)
  const results = new Map(known.results.map(({ digest, did }) => [digest, did]))
  const noted: { said: string[]; answered: string[]; results: { text: string; did: string }[] } = { said: [], answered: [], results: [] }
  let fresh = NO_PROOF
  let interrupted: readonly string[] = []
  // By text: what was computed in the previous turn and in the current one. Hosts show the whole conversation every time.
  const digest = forTwoTurns(digestOf)
  const saidDigest = forTwoTurns((text) => digestOf(ownPartsOf(text)))

  const add = (proof: Proof): void => {
    for (const each of proof.said) said.add(each)
    for (const each of proof.answered) answered.add(each)
    for (const each of proof.results) results.set(each.digest, each.did)
  }

  const addNoted = async (): Promise<void> => {
    const took = { said: noted.said.splice(0), answered: noted.answered.splice(0), results: noted.results.splice(0) }
    const proof: Proof = {
      said: await Promise.all(took.said.map(saidDigest.of)),
      answered: await Promise.all(took.answered.map(digest.of)),
      results: await Promise.all(
        took.results.map(async ({ text, did }) => ({ digest: await digest.of(text), did: redactCredentials(did) })),
      ),
    }
    add(proof)
    fresh = joinProofs(fresh, proof)
  }

  let adding = Promise.resolve()
  /** Noting is quick, since it happens in the turn; hashing waits for the next question, and all who ask wait for it. */
  const settle = (): Promise<void> => {
    adding = adding.then(addNoted)
    return adding
  }

  const forgetTexts = (): void => {
    interrupted = []
    for (const each of [...results.keys()]) results.set(each, '')
    digest.forget()
    saidDigest.forget()
  }

  const isBeginning = (text: string): boolean => {
    const shown = withoutSpace(text)
    return interrupted.some((whole) => whole.startsWith(shown))
  }

  const proveOne = async (message: TurnMessage, isOpener: boolean): Promise<TurnMessage> => {
    const { trusted: _, ...given } = message
    if (given.outside === true) return given
    if (given.role === 'tool') {
      const did = results.get(await digest.of(given.text))
      if (did !== undefined) return { role: 'assistant', text: did }
      return isTrusted(given) ? { ...given, trusted: true } : given
    }
    if (isOpener || given.text.trim() === '') return given
    const isOwn =
      given.role === 'user'
        ? said.has(await saidDigest.of(given.text))
        : answered.has(await digest.of(given.text)) || isBeginning(given.text)
    return isOwn ? given : { ...given, outside: true }
  }

  const prove = async (messages: readonly TurnMessage[], opens = false): Promise<readonly TurnMessage[]> => {
    await settle()
    const opener = opens ? openerOf(messages) : undefined
    return Promise.all(messages.map((message) => proveOne(message, message === opener)))
  }

  return {
    noteOpener(prompt) {
      digest.nextTurn()
      saidDigest.nextTurn()
      const opener = openerOf(prompt)
      if (opener) noted.said.push(opener.text)
    },
    noteAnswer(reply, isInterrupted = false) {
      const texts = reply
        .filter(({ role, outside, text }) => role === 'assistant' && outside !== true && text.trim() !== '')
        .map(({ text }) => text)
      // A host may show the texts of one answer as one.
      noted.answered.push(...texts, ...(texts.length > 1 ? [texts.join('')] : []))
      if (isInterrupted) interrupted = [...interrupted, withoutSpace(texts.join(''))].slice(-MOST_INTERRUPTED)
    },
    noteResult(result, did) {
      // Adapters cut long results.
      for (const text of new Set([result, cutText(result)])) noted.results.push({ text, did })
    },
    add,
    async isProven(messages) {
      const proven = await prove(messages)
      return proven.every((message, index) => message.outside === messages[index]?.outside)
    },
    prove,
    forgetTexts,
    async take() {
      await settle()
      const taken = fresh
      fresh = NO_PROOF
      return taken
    },
    forget() {
      noted.said.length = 0
      noted.answered.length = 0
      noted.results.length = 0
      fresh = NO_PROOF
      forgetTexts()
    },
  }
}
