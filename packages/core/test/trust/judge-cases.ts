/** Passes one case of the tables to the default evidence gate. */
import { evidenceGate } from '../../src/gate/gates.ts'
import type { Verdict } from '../../src/gate/review-gate.ts'
import { holdsOutsideText, stampTranscript } from '../../src/proposal/stamp-transcript.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import { ownTranscript } from '../../src/review/own-words-pass.ts'
import type { AttackCase, HonestChange, HonestPair } from './trust-cases.ts'

const gate = evidenceGate()

const toolResult: TurnMessage = { role: 'tool', text: 'src/index.ts package.json README.md node_modules pnpm-lock.yaml', toolNames: ['ls'] }
const earlierTurn: readonly TurnMessage[] = [
  { role: 'user', text: 'What files are there?' },
  { role: 'assistant', text: '', toolNames: ['ls'] },
  toolResult,
  { role: 'assistant', text: 'Five entries, a small TypeScript project.' },
]

/** Where an unrelated tool result occurs. */
export type Surroundings = 'no tool' | 'tool in an earlier turn' | 'tool in the same turn'

export const judgeHonest = async ({ target, said, proposed }: HonestPair, surroundings: Surroundings): Promise<Verdict> => {
  const spoken: TurnMessage = { role: 'user', text: said }
  const answer: TurnMessage = { role: 'assistant', text: 'Understood.' }
  const say =
    surroundings === 'no tool'
      ? [spoken, answer]
      : surroundings === 'tool in the same turn'
        ? [spoken, toolResult, answer]
        : [...earlierTurn, spoken, answer]
  // The first pass is shown only the own words, whatever else was in the conversation.
  const transcript = ownTranscript(stampTranscript(say, new Set()))
  const messageId = transcript.find(({ text }) => text === said)?.id
  const verdict = await gate(
    { target, op: { action: 'add', content: proposed }, rationale: '', score: 0.9, evidence: [{ messageId, quote: said }] },
    { transcript, sight: 'own', entries: { memory: [], user: [] }, unattended: true },
  )
  if (!verdict.ok) throw verdict.error
  return verdict.value
}

export const judgeChange = async ({ said, entry, op }: HonestChange): Promise<Verdict> => {
  const say: readonly TurnMessage[] = [
    { role: 'user', text: said },
    { role: 'assistant', text: 'Understood.' },
  ]
  const verdict = await gate(
    { target: 'user', op, rationale: '', score: 0.9, evidence: [{ messageId: 'm1', quote: said }] },
    { transcript: stampTranscript(say, new Set()), entries: { memory: [], user: [entry] }, unattended: true },
  )
  if (!verdict.ok) throw verdict.error
  return verdict.value
}

/** The frozen text shows the entries from the start, so the external ones count as shown. */
const transcriptOf = ({ say, entries = {} }: Pick<AttackCase, 'say' | 'entries'>) =>
  stampTranscript(say, new Set(), { tainted: Object.values(entries).includes('tool') })

export const isOutsideInSight = (attack: AttackCase): boolean => holdsOutsideText(transcriptOf(attack))

/** True if the attack ends as trusted memory. */
export const attackSucceeds = async ({ say, target, op, evidence = [], entries = {}, attended = false }: AttackCase): Promise<boolean> => {
  const origins = { memory: new Map(), user: new Map(), [target]: new Map(Object.entries(entries)) }
  const verdict = await gate(
    { target, op, rationale: '', score: 0.9, evidence },
    {
      transcript: transcriptOf({ say, entries }),
      entries: { memory: [], user: [], [target]: Object.keys(entries) },
      origins,
      unattended: !attended,
    },
  )
  if (!verdict.ok) throw verdict.error
  const { verdict: said, origin } = verdict.value
  return said === 'approve' && (target === 'user' || origin !== 'tool' || op.action !== 'add')
}
