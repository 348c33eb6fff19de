/** The state of one session, as its parts use it. */
import type { SavedCounts } from '../nudge/review-state.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import type { Result } from '../shared/result.ts'
import type { RecalledTurn } from './recalled-turns.ts'
import type { TextRedaction } from './record-redaction.ts'
import type { FinishedTurn } from './turn.ts'

export interface SavedSession {
  /** The counts as saved; undefined if the session was forgotten meanwhile. */
  readonly counts: SavedCounts | undefined
  /** What the host showed for the newest finished turn; undefined if none has finished since the last save. */
  readonly shown: readonly TurnMessage[] | undefined
  /** Text from outside was in sight before the turns of this save. */
  readonly tainted: boolean
  /** Number of unreviewed turns that were dropped for lack of room. */
  readonly dropped: number
}

export interface SessionStore {
  /** The frozen text. A text that was sent in a prompt stays in use in this process, whatever other processes store. */
  readonly block: string
  /** True if text from outside was in sight in this session. */
  isTainted(): Promise<boolean>
  /** See `OwnWords.prove`. */
  prove(messages: readonly TurnMessage[], opens?: boolean): Promise<readonly TurnMessage[]>
  /** What a model had answered when its call was interrupted: the host may show the beginning of it. */
  noteInterrupted(reply: readonly TurnMessage[]): void
  /** A tool of this session gave out this result, which shows nothing from outside. `did`: what the call did. */
  noteResult(result: string, did: string): void
  /** True if `prompt` begins a turn. The turn counts when it finishes. */
  beginTurn(prompt: readonly TurnMessage[]): boolean
  /** True if `beginTurn` would begin one. */
  startsTurn(prompt: readonly TurnMessage[]): boolean
  /** What was recalled for the user's messages, as far as this process knows, oldest first. */
  readonly recalled: readonly RecalledTurn[]
  /** Adds what other processes have saved. Never rejects; on failure nothing is added. */
  reloadRecalled(): Promise<void>
  /** Saved with the next step. */
  noteRecalled(turn: RecalledTurn): void
  /** `said`: the prompt of the step and the reply. Returns the turn that it finished, if any. */
  endStep(
    said: readonly TurnMessage[],
    step: { readonly calledTools: boolean; readonly turnFinished: boolean; readonly reply: readonly TurnMessage[] },
  ): Pick<FinishedTurn, 'messages'> | undefined
  /** Counts a turn that the host reports as a whole. */
  recordTurn(messages: readonly TurnMessage[], toolIterations: number, before?: readonly TurnMessage[]): void
  /** Notes a skill that the agent loaded; the next skill review shows these first. */
  noteLoadedSkill(name: string): void
  /** `shown`: the text that this process sent in the last prompt; undefined if it has sent none. */
  replaceBlock(block: string, shown: string | undefined): void
  /** From now on, text from outside is in sight. Saved with the next save. */
  taint(): void
  /** Results of the newest save in this process; `shown` only if no text is stored. */
  readonly lastSaved: Pick<SavedSession, 'counts' | 'shown'>
  /** On failure, turns and counts are kept for the next save. */
  save(): Promise<Result<SavedSession>>
  /** Nothing is saved after this call. Resolves when no save is running. */
  forget(): Promise<void>
  /** Removes a text from unsaved data of this process. Stored data is not changed. */
  redact(redaction: TextRedaction): void
  readonly unsaved: boolean
}
