/** `node turn-main.ts <json>`: one turn of a conversation in a process of its own. Prints the system prompt and what a review was asked. */
import { createHermesHomes } from '@hermes/core'
import pg from 'pg'
import { postgresBackend } from '../../src/postgres-backend.ts'

export interface TurnTask {
  readonly url: string
  readonly schema: string
  /** Counted from 1. */
  readonly turn: number
}

export interface TurnResult {
  readonly prompt: string | undefined
  /** The requests to the model of reviews, as text. */
  readonly reviews: readonly string[]
  readonly problems: readonly string[]
}

const { url, schema, turn }: TurnTask = JSON.parse(process.argv[2] ?? '')
const pool = new pg.Pool({ connectionString: url, max: 3 })
const reviews: string[] = []
const problems: string[] = []
const homes = createHermesHomes({
  storage: postgresBackend(pool, { schema }),
  curator: { enabled: false },
  onEvent: (event) => {
    if ('error' in event) problems.push(`${event.type}: ${event.error.message}`)
  },
  review: {
    model: async ({ messages }) => {
      const asked = messages.map(({ content }) => content).join('\n')
      reviews.push(asked)
      const content = `Learned after turn ${turn}.`
      const evidence = [{ messageId: null, quote: `my turn number ${turn}` }]
      const proposal = { target: 'memory', op: { action: 'add', content, oldText: null }, rationale: 'Said.', score: 0.9, evidence }
      return JSON.stringify({ proposals: [proposal] })
    },
  },
})
const session = homes.for('ada').session('chat')
const prompt = await session.systemBlock()
session.recordTurn({
  messages: [
    { role: 'user', text: `This is my turn number ${turn}.` },
    { role: 'assistant', text: `I have heard number ${turn}.` },
  ],
})
await homes.settled()
await homes.close()
await pool.end()
const result: TurnResult = { prompt, reviews, problems }
process.stdout.write(JSON.stringify(result))
