/** The chat itself: reads lines, runs turns and commands in order, and learns from each conversation when it ends. */
import { hostModel } from '@hermes/ai-sdk'
import type { Hermes, Result, ReviewRun } from '@hermes/core'
import { createAnswerView } from '@hermes/example-chat-parts/answer-view'
import { explainModelError } from '@hermes/example-chat-parts/explain-model-error'
import { type Patience, settleWithin, workWithin } from '@hermes/example-chat-parts/settle-within'
import { MAX_STEPS, type TurnEnd } from '@hermes/example-chat-parts/stream-turns'
import { type Notices, type Terminal, tell } from '@hermes/example-chat-parts/terminal'
import type { ChosenModel } from './choose-model.ts'
import { runCommand } from './commands/command-table.ts'
import { type Conversation, startConversation } from './conversation.ts'
import type { EventTeller } from './describe-event.ts'
import { describeEnd, describeLearning, describeRequest } from './describe-review.ts'
import { type HeaderFacts, printHeader, printLink, printScriptedNotice } from './header.ts'
import { freshSessionId } from './options.ts'
import type { ReviewCounter } from './review-counter.ts'
import { toolLine } from './tool-line.ts'

export interface ChatParts extends Omit<HeaderFacts, 'modelLabel' | 'skillCount'> {
  readonly terminal: Terminal
  readonly notices: Notices
  readonly events: EventTeller
  readonly counter: ReviewCounter
  readonly hermes: Hermes
  readonly chosen: ChosenModel
  /** The curator asks the model as well, which takes its time. */
  readonly consolidates: boolean
  /** About the configuration, to be told once. */
  readonly warnings: readonly string[]
  /** Of the inspector; undefined if it is not open. */
  readonly link: string | undefined
}

/** How long a person who leaves waits for a review; Ctrl-C ends the wait. Milliseconds. */
const END_LIMIT_MS = 60_000
/** A person who leaves by Ctrl-C waits for what is being saved alone. Milliseconds. */
const CTRL_C_LIMIT_MS = 200
const START_OVER = 'Type /new: it first learns from what was said, and the next session starts short.'
/** On a narrower screen the prompt is for the message alone. */
const MIN_LEAD_COLUMNS = 45
/** Exit code of a script that was interrupted, as shells have it. */
const INTERRUPTED = 130

/** Resolves to the exit code. */
export const converse = async (parts: ChatParts): Promise<number> => {
  const { terminal, notices, events, counter, hermes, chosen } = parts
  const { paint, print } = terminal

  const open = (sessionId: string): Promise<Conversation> =>
    notices.during(async () => {
      const session = hermes.session(sessionId)
      // Offers the session's tools, so that the text frozen next names the skills they load.
      const conversation = startConversation(session, chosen.model, parts.folder)
      // Freezes the snapshot now, so that the header shows what the session starts with.
      await session.systemBlock()
      const skills = await hermes.skillReader().list()
      const store = hermes.memoryStore()
      await store.load()
      const skillCount = skills.ok ? skills.value.skills.length : 0
      printHeader(terminal, { ...parts, modelLabel: chosen.label, sessionId, skillCount }, store)
      return conversation
    })

  /** Waits for saves and reviews; false if the time ran out or the person did not want to wait. */
  const settle = ({ session }: Conversation, limitMs: number): Promise<boolean> =>
    notices.during(() => terminal.whileBusy((signal) => settleWithin(session.settled(), limitMs, signal)))

  /** Learns from what was said, and says so while it takes its time. Ctrl-C skips it. That a review failed is an event. */
  const learn = (review: (signal: AbortSignal) => Promise<Result<ReviewRun>>, describe: typeof describeEnd): Promise<void> =>
    notices.during(async () => {
      const stopWatching = events.tellNext((start) => print(paint.dim(describeLearning(start))))
      const run = await terminal.whileBusy((signal) => workWithin(review, { signal, limitMs: END_LIMIT_MS } satisfies Patience))
      const told = describe(run?.ok ? run.value : undefined)
      stopWatching()
      if (told !== undefined) notices.tell(told, 'dim')
    })
  // A person leaves or asks, so one turn is enough.
  const end = ({ session }: Conversation): Promise<void> => learn((signal) => session.end({ minTurns: 1, signal }), describeEnd)

  const tellEnd = (turn: TurnEnd): void => {
    if (turn.kind === 'stopped') print(paint.dim('· stopped'))
    if (turn.kind === 'out-of-steps') print(paint.dim(`· stopped after ${MAX_STEPS} model calls`))
    if (turn.kind === 'answered' || turn.kind === 'empty') counter.countTurn()
    const again = terminal.interactive ? ' Press ↑ to send your message again.' : ''
    if (turn.kind === 'empty') tell(terminal, `The model's answer is empty. Ask in other words, or try another model.${again}`, '', 'red')
    if (turn.kind === 'failed')
      tell(terminal, explainModelError(turn.error, { advice: chosen.advice, startOver: START_OVER, begun: turn.begun }) + again, '', 'red')
  }

  const runTurn = (text: string): Promise<void> =>
    notices.during(async () => {
      await terminal.whileBusy(async (signal) => {
        const view = createAnswerView(terminal)
        const turn = await conversation.send(text, signal, (part) =>
          part.type === 'text' ? view.showText(part.text) : view.showLine(toolLine(part, terminal.columns, paint)),
        )
        view.finish()
        tellEnd(turn)
      })
      // A script gets the same output every time, so the review comes before the next line; a person never waits for it.
      if (!terminal.interactive) await settle(conversation, Number.POSITIVE_INFINITY)
    })

  let conversation = await notices.during(async () => {
    // Before the session freezes its catalogue; what it did is told below the header. Calls of a model do not keep a person waiting.
    if (terminal.interactive && parts.consolidates) void hermes.curator.maybeRun()
    else await terminal.whileBusy((signal) => hermes.curator.maybeRun({ signal }))
    await counter.load(hermes)
    for (const warning of parts.warnings) notices.tell(warning, 'red')
    return terminal.whileBusy(() => open(parts.sessionId))
  })
  if (parts.link !== undefined) printLink(terminal, parts.link)
  if (chosen.scripted) printScriptedNotice(terminal)

  const startNewSession = async (): Promise<void> => {
    await end(conversation)
    conversation = await open(freshSessionId())
  }

  const review = (): Promise<void> =>
    learn((signal) => hermes.review({ minTurns: 1, model: hostModel(chosen.model), signal }), describeRequest)

  let quits = false
  const quit = (): void => {
    quits = true
  }

  print('')
  while (!quits) {
    const remaining = counter.remaining()
    const lead = remaining === undefined || terminal.columns < MIN_LEAD_COLUMNS ? '' : `review in ${remaining}`
    const entered = await terminal.readLine(lead)
    if (entered.kind === 'end') break
    if (entered.kind === 'leave') {
      const isSettled = await settle(conversation, CTRL_C_LIMIT_MS)
      if (!isSettled && events.isReviewing()) print(paint.dim('· left before the review was finished'))
      return terminal.interactive ? 0 : INTERRUPTED
    }
    const line = entered.text.trim()
    if (line === '') continue
    if (line.startsWith('/')) await runCommand(line, { terminal, hermes, startNewSession, review, quit })
    else await runTurn(line)
    if (!quits) print('')
  }
  await end(conversation)
  return 0
}
