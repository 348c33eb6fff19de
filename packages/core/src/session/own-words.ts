/**
 * Proves whose words a message is: the user's if it opened a turn of this session, the assistant's if this session saw a model give it, a tool's own if our
 * tool gave out exactly this result here. Whatever is not proven is from outside (DESIGN 5).
 */

import { splitOwnWords, splitUserMessage } from '../proposal/own-words.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { cutText } from '../shared/cut-text.ts'
import { sha256OfText } from '../shared/sha256.ts'
import { withoutSpace } from '../shared/without-space.ts'
import { redactCredentials } from '../threats/credentials/redact-credentials.ts'
import type { Proof } from './session-record.ts'
import type { ToolTrust } from './tool-trust.ts'
import { openerOf } from './turn.ts'

const DIGEST_CHARS = 32

const digestOf = async (text: string): Promise<string> => (await sha256OfText(withoutSpace(text))).slice(0, DIGEST_CHARS)

/** The user's own words in a message, so that what is quoted in it makes no difference. */
const ownPartsOf = (text: string): string =>
  splitOwnWords(text)
    .filter(({ outside }) => !outside)
    .map((part) => part.text)
    .join('')

/** Computes something of a text once in two turns: hosts show the whole conversation every time. */
class TwoTurns<T> {
  readonly #compute: (text: string) => T
  #older = new Map<string, T>()
  #newer = new Map<string, T>()

  constructor(compute: (text: string) => T) {
    this.#compute = compute
  }

  of(text: string): T {
    const found = this.#newer.get(text) ?? this.#older.get(text) ?? this.#compute(text)
    this.#newer.set(text, found)
    return found
  }

  nextTurn(): void {
    this.#older = this.#newer
    this.#newer = new Map()
  }

  forget(): void {
    this.#older = new Map()
    this.#newer = new Map()
  }
}

/** `did`: of a result. */
interface Noted {
  readonly kind: 'said' | 'answered' | 'result'
  readonly text: string
  readonly did?: string
}

const NO_PROOF: Proof = { said: [], answered: [], results: [] }

const join = (first: Proof, then: Proof): Proof => ({
  said: [...first.said, ...then.said],
  answered: [...first.answered, ...then.answered],
  results: [...first.results, ...then.results],
})

/** Number of interrupted answers that are kept, of which the host may show only the beginning. */
const MOST_INTERRUPTED = 5

export class OwnWords {
  readonly #trust: ToolTrust
  readonly #said: Set<string>
  readonly #answered: Set<string>
  readonly #results: Map<string, string>
  #noted: readonly Noted[] = []
  #fresh = NO_PROOF
  #interrupted: readonly string[] = []
  readonly #digest = new TwoTurns(digestOf)
  readonly #saidDigest = new TwoTurns((text) => digestOf(ownPartsOf(text)))
  readonly #isPasted = new TwoTurns((text) => splitUserMessage({ role: 'user', text }).some(({ outside }) => outside === true))
  #adding = Promise.resolve()

  constructor(known: Proof | undefined, trust: ToolTrust) {
    this.#trust = trust
    this.#said = new Set(known?.said)
    this.#answered = new Set(known?.answered)
    this.#results = new Map(known?.results.map(({ digest, did }) => [digest, did]))
  }

  /** The newest user message of this prompt is the user's. */
  noteOpener(prompt: readonly TurnMessage[]): void {
    for (const known of [this.#digest, this.#saidDigest, this.#isPasted]) known.nextTurn()
    const opener = openerOf(prompt)
    if (opener) this.#note({ kind: 'said', text: opener.text })
  }

  /** What a model of this session answered. `interrupted`: the host may show only its beginning. */
  noteAnswer(reply: readonly TurnMessage[], interrupted = false): void {
    const texts = reply
      .filter(({ role, outside, text }) => role === 'assistant' && outside !== true && text.trim() !== '')
      .map(({ text }) => text)
    // A host may show the texts of one answer as one.
    const shown = texts.length > 1 ? [...texts, texts.join('')] : texts
    this.#note(...shown.map((text): Noted => ({ kind: 'answered', text })))
    if (interrupted) this.#interrupted = [...this.#interrupted, withoutSpace(texts.join(''))].slice(-MOST_INTERRUPTED)
  }

  /** One of our tools gave out this result, which shows nothing from outside. `did`: what the first pass of a review is told. */
  noteResult(result: string, did: string): void {
    // Adapters cut long results.
    this.#note(...Array.from(new Set([result, cutText(result)]), (text): Noted => ({ kind: 'result', text, did })))
  }

  /** Adds what other processes have saved. */
  add(proof: Proof): void {
    for (const each of proof.said) this.#said.add(each)
    for (const each of proof.answered) this.#answered.add(each)
    for (const each of proof.results) this.#results.set(each.digest, each.did)
  }

  /** True if all messages are proven, or marked as from outside. */
  async isProven(messages: readonly TurnMessage[]): Promise<boolean> {
    const proven = await this.prove(messages)
    return proven.every((message, index) => message.outside === messages[index]?.outside)
  }

  /**
   * Marks what is not proven as from outside, and replaces results of our own tools by what they did. `opens`: the newest user message counts as the user's,
   * for hosts that report no steps.
   */
  async prove(messages: readonly TurnMessage[], opens = false): Promise<readonly TurnMessage[]> {
    await this.#settle()
    const opener = opens ? openerOf(messages) : undefined
    return Promise.all(messages.map((message) => this.#proveOne(message, message === opener)))
  }

  /** True if messages that `prove` has returned hold text from outside. */
  holdOutside(proven: readonly TurnMessage[]): boolean {
    return proven.some(({ role, text, outside, trusted }) => {
      if (outside === true) return true
      return role === 'user' ? this.#isPasted.of(text) : role === 'tool' && trusted !== true
    })
  }

  /** What was noted since the last call; undefined if it proves nothing. */
  async take(): Promise<Proof | undefined> {
    await this.#settle()
    const taken = this.#fresh
    this.#fresh = NO_PROOF
    return taken.said.length + taken.answered.length + taken.results.length > 0 ? taken : undefined
  }

  /** Drops all texts that are kept in memory; what is proven stays. */
  forgetTexts(): void {
    this.#interrupted = []
    for (const each of [...this.#results.keys()]) this.#results.set(each, '')
    for (const known of [this.#digest, this.#saidDigest, this.#isPasted]) known.forget()
  }

  /** Drops all that was noted and not taken, too. */
  forget(): void {
    this.#noted = []
    this.#fresh = NO_PROOF
    this.forgetTexts()
  }

  /** Noting is quick, since it happens in the turn; hashing waits for the next question, and all who ask wait for it. */
  #settle(): Promise<void> {
    this.#adding = this.#adding.then(() => this.#addNoted())
    return this.#adding
  }

  async #addNoted(): Promise<void> {
    const noted = this.#noted
    this.#noted = []
    const proof: { [Kind in keyof Proof]: Proof[Kind][number][] } = { said: [], answered: [], results: [] }
    for (const { kind, text, did = '' } of noted) {
      const digest = await (kind === 'said' ? this.#saidDigest : this.#digest).of(text)
      if (kind === 'result') proof.results.push({ digest, did: redactCredentials(did) })
      else proof[kind].push(digest)
    }
    this.add(proof)
    this.#fresh = join(this.#fresh, proof)
  }

  #note(...noted: readonly Noted[]): void {
    this.#noted = [...this.#noted, ...noted]
  }

  #isBeginning(text: string): boolean {
    const shown = withoutSpace(text)
    return this.#interrupted.some((whole) => whole.startsWith(shown))
  }

  async #proveOne(message: TurnMessage, isOpener: boolean): Promise<TurnMessage> {
    const { trusted: _, ...given } = message
    if (given.outside === true) return given
    if (given.role === 'tool') {
      const did = this.#results.get(await this.#digest.of(given.text))
      if (did !== undefined) return { role: 'assistant', text: did }
      return this.#trust.isTrusted(given) ? { ...given, trusted: true } : given
    }
    if (isOpener || given.text.trim() === '') return given
    const isOwn =
      given.role === 'user'
        ? this.#said.has(await this.#saidDigest.of(given.text))
        : this.#answered.has(await this.#digest.of(given.text)) || this.#isBeginning(given.text)
    return isOwn ? given : { ...given, outside: true }
  }
}
