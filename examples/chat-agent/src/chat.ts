/** The chat itself: reads lines, runs turns and commands in order, and learns from each conversation when it ends. */
import type { Hermes, StorageBackend } from '@hermes/core'
import { type Conversation, MAX_STEPS, startConversation, type TurnEnd } from './agent/conversation.ts'
import { describeEnd, describeLearning } from './agent/describe-end.ts'
import { endSession } from './agent/end-session.ts'
import { explainModelError } from './agent/explain-model-error.ts'
import { createIdleWatch } from './agent/idle-watch.ts'
import { readMemoryOverview } from './agent/memory-overview.ts'
import type { ReviewWatch } from './agent/review-watch.ts'
import { settleWithin } from './agent/settle-within.ts'
import { runCommand } from './commands/command-table.ts'
import type { ChosenModel } from './model/choose-model.ts'
import { freshSessionId } from './options/session-id.ts'
import { createAnswerView } from './terminal/answer-view.ts'
import { printHeader, printScriptedNotice } from './terminal/header.ts'
import type { Notices } from './terminal/notices.ts'
import type { Terminal } from './terminal/terminal.ts'
import { wrapText } from './terminal/word-wrap.ts'

export interface ChatParts {
  readonly terminal: Terminal
  readonly notices: Notices
  readonly reviews: ReviewWatch
  readonly hermes: Hermes
  readonly storage: StorageBackend
  readonly chosen: ChosenModel
  readonly sessionId: string
  readonly home: string
  readonly nudge: number
  readonly skillNudge: number
  /** The curator asks the model as well, which takes its time. */
  readonly consolidates: boolean
  /** About the configuration, to be told once. */
  readonly warnings: readonly string[]
}

/** How long a person who leaves waits for a review; Ctrl-C ends the wait. Milliseconds. */
const END_LIMIT_MS = 60_000
/** A person who leaves by Ctrl-C waits for what is being saved alone. Milliseconds. */
const CTRL_C_LIMIT_MS = 200

/** Exit code of a script that was interrupted, as shells have it. */
const INTERRUPTED = 130

/** Resolves to the exit code. */
export const runChat = async (parts: ChatParts): Promise<number> => {
  const { terminal, notices, reviews, hermes, storage, chosen } = parts
  const { paint } = terminal

  const open = async (sessionId: string): Promise<Conversation> => {
    const session = hermes.session(sessionId)
    // Offers the session's tools, so that the text frozen next names the skills they load.
    const conversation = startConversation(session, chosen.model)
    notices.hold()
    // Freezes the snapshot now, so that the header shows what the session starts with.
    await session.systemBlock()
    const skills = await hermes.skillReader().list()
    const facts = { ...parts, modelLabel: chosen.label, sessionId, skillCount: skills.ok ? skills.value.skills.length : 0 }
    printHeader(terminal, facts, await readMemoryOverview(hermes))
    notices.release()
    return conversation
  }

  /** Waits for saves and reviews; false where the time ran out or the person did not want to wait. */
  const settle = (conversation: Conversation, limitMs: number): Promise<boolean> =>
    terminal.whileBusy(async (signal) => {
      notices.hold()
      try {
        return await settleWithin(conversation.session.settled(), limitMs, signal)
      } finally {
        notices.release()
      }
    })

  /** Learns from what was said, and says so while it takes its time. Ctrl-C skips it. */
  const end = (conversation: Conversation): Promise<void> =>
    terminal.whileBusy(async (signal) => {
      notices.hold()
      const stopWatching = reviews.tellNext((start) => terminal.print(paint.dim(describeLearning(start))))
      const told = describeEnd(await endSession(conversation.session, { signal, limitMs: END_LIMIT_MS }))
      stopWatching()
      if (told !== undefined) notices.tell(paint.dim(wrapText(told, terminal.columns, '  ')))
      notices.release()
    })

  const tellEnd = (end: TurnEnd): void => {
    if (end.kind === 'stopped') terminal.print(paint.dim('· stopped'))
    if (end.kind === 'out-of-steps') terminal.print(paint.dim(`· stopped after ${MAX_STEPS} model calls`))
    if (end.kind !== 'failed') return
    const again = terminal.interactive ? ' Press ↑ to send your message again.' : ''
    terminal.print(paint.red(`${explainModelError(end.error, chosen.advice)}${again}`))
  }

  const runTurn = async (conversation: Conversation, text: string): Promise<void> => {
    notices.hold()
    await terminal.whileBusy(async (signal) => {
      const view = createAnswerView(terminal)
      const end = await conversation.send(text, signal, view.show)
      view.finish()
      tellEnd(end)
    })
    // A script gets the same output every time, so the review comes before the next line; a person never waits for it.
    if (!terminal.interactive) await settle(conversation, Number.POSITIVE_INFINITY)
    notices.release()
    terminal.print('')
  }

  const watch = createIdleWatch(hermes)

  /** Before the session freezes its catalogue. What it did stands below the header; calls of a model do not keep a person waiting. */
  const lookAfterSkills = async (): Promise<void> => {
    notices.hold()
    if (terminal.interactive && parts.consolidates) watch.look()
    else await terminal.whileBusy((signal) => hermes.curator.maybeRun({ signal }))
  }

  await lookAfterSkills()
  for (const warning of parts.warnings) notices.tell(paint.red(wrapText(warning, terminal.columns, '  ')))
  let conversation = await terminal.whileBusy(() => open(parts.sessionId))
  if (chosen.scripted) printScriptedNotice(terminal)
  terminal.print('')

  const startNewSession = async (): Promise<void> => {
    await end(conversation)
    conversation = await open(freshSessionId(new Date()))
  }

  const leave = async (): Promise<number> => {
    watch.stop()
    await end(conversation)
    return 0
  }

  const leaveNow = async (): Promise<number> => {
    watch.stop()
    if (!(await settle(conversation, CTRL_C_LIMIT_MS)))
      terminal.print(paint.dim('· left before the review was finished; the next review reads what it was to read'))
    return terminal.interactive ? 0 : INTERRUPTED
  }

  for (;;) {
    const entered = await watch.during(terminal.readLine())
    if (entered.kind !== 'line') return entered.kind === 'end' ? leave() : leaveNow()
    const line = entered.text.trim()
    if (line === '') continue
    if (line.startsWith('/')) {
      if ((await runCommand(line, { terminal, hermes, storage, startNewSession })) === 'quit') return leave()
      terminal.print('')
    } else {
      await runTurn(conversation, line)
    }
  }
}
