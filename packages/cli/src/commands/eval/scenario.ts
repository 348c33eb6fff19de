/**
 * The scenarios of the evaluation, read from `scenarios/*.json`: sessions that are played word for word, and what memory should contain
 * afterwards. In their texts, `{log 3 110}` stands for what a program prints while it works, and `{long 4}` for a long answer.
 */

import { z } from 'zod'
import budget from './scenarios/budget.json' with { type: 'json' }
import contradictions from './scenarios/contradictions.json' with { type: 'json' }
import corrections from './scenarios/corrections.json' with { type: 'json' }
import facts from './scenarios/facts.json' with { type: 'json' }
import plainTalk from './scenarios/plain-talk.json' with { type: 'json' }
import preferences from './scenarios/preferences.json' with { type: 'json' }
import shortSessions from './scenarios/short-sessions.json' with { type: 'json' }
import smallTalk from './scenarios/small-talk.json' with { type: 'json' }
import toolWork from './scenarios/tool-work.json' with { type: 'json' }

export const SCENARIO_KINDS = ['fact', 'correction', 'contradiction', 'preference', 'budget', 'short', 'tools', 'plain'] as const

export type ScenarioKind = (typeof SCENARIO_KINDS)[number]

const FILES: Readonly<Record<ScenarioKind, unknown>> = {
  fact: facts,
  correction: corrections,
  contradiction: contradictions,
  preference: preferences,
  budget,
  short: shortSessions,
  tools: toolWork,
  plain: plainTalk,
}

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T

/** A line of about 70 characters. */
const logLine = (seed: number): string => {
  const [hours, minutes, seconds] = [8 + (seed % 10), (seed * 7) % 60, (seed * 13) % 60].map((part) => String(part).padStart(2, '0'))
  const batch = 10_000 + ((seed * 37) % 9_000)
  return `${hours}:${minutes}:${seconds} worker-${seed % 6} finished batch ${batch} in ${20 + ((seed * 11) % 400)} ms, queue ${seed % 17}`
}

const logOf = (seed: number, lines: number): string => Array.from({ length: lines }, (_, index) => logLine(seed * 53 + index)).join('\n')

const longAnswer = (at: number): string => Array.from({ length: 12 }, (_, index) => pick(smallTalk.sentences, at * 7 + index)).join(' ')

const text = z
  .string()
  .transform((written) =>
    written
      .replace(/\{log (\d+)(?: (\d+))?\}/g, (_, seed: string, lines = '55') => logOf(Number(seed), Number(lines)))
      .replace(/\{long (\d+)\}/, (_, at: string) => longAnswer(Number(at))),
  )

/** A tool call with its result, or a call of the agent's own `memory` tool, which is executed. */
const step = z.union([z.tuple([z.string(), text]), z.strictObject({ remember: z.tuple([z.enum(['memory', 'user']), text]) })])

/** What the user says and what the assistant answers, with the tool calls in between. */
const turn = z.union([z.tuple([text, text]), z.strictObject({ user: text, steps: z.array(step), answer: text })])

/** So many turns that hold nothing worth keeping, from a place in their list on. */
const talk = z
  .strictObject({ smallTalk: z.tuple([z.number(), z.number()]) })
  .transform(({ smallTalk: [count, from] }) =>
    Array.from({ length: count }, (_, index) => pick(smallTalk.exchanges, from + index) as [string, string]),
  )

const session = z.strictObject({
  turns: z.array(z.union([turn.transform((one) => [one]), talk])).transform((turns) => turns.flat()),
  /** `quit`: the user leaves the chat, which ends the session however short it was. `end`: the host ends it. Default: it stays open. */
  ends: z.enum(['quit', 'end']).optional(),
  /** Maximum number of messages before the newest one that the host shows its model. Default all. */
  window: z.number().optional(),
  /** Minutes since the previous session. Default 5. */
  afterMinutes: z.number().optional(),
})

/** Matches a fact in one memory entry or in an answer; `match-text.ts` defines the form of a word. */
const fact = z.strictObject({
  /** All of these words must occur. */
  all: z.array(z.string()),
  /** None of these words may occur: tells a stale fact from a mention of the past. Default none. */
  none: z.array(z.string()).optional(),
})

const scenario = z.strictObject({
  /** Unique; lower case with hyphens. */
  id: z.string(),
  /** Oldest first. */
  sessions: z.array(session),
  /** Facts that the next session's prompt should contain. */
  known: z.array(fact),
  /** Facts that may have left the prompt but must still be in the prompt, in the archive, or pending. Default none beside `known`. */
  kept: z.array(fact).optional(),
  /** Facts that the prompt must not contain any more. Default none. */
  stale: z.array(fact).optional(),
  /** Asked in the next session. */
  questions: z.array(z.strictObject({ ask: z.string(), answer: fact })),
})

export type ScenarioTurn = z.infer<typeof turn>
export type ScenarioSession = z.infer<typeof session>
export type FactPattern = z.infer<typeof fact>
export type Scenario = z.infer<typeof scenario> & { readonly kind: ScenarioKind }

/** Minutes in a day. */
export const DAY = 24 * 60

/** All scenarios, in the order of the report. */
export const SCENARIOS: readonly Scenario[] = SCENARIO_KINDS.flatMap((kind) =>
  z
    .array(scenario)
    .parse(FILES[kind])
    .map(({ id, ...rest }) => ({ id, kind, ...rest })),
)
