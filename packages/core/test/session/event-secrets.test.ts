/** Events go to logs: no review's event holds a secret that was refused. */
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { HermesOptions } from '../../src/hermes-options.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { assistant, openHome, user } from './open-home.ts'
import { answer, skillText, yes } from './skill-home.ts'

const KEY = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'
const FACT = 'User lives in Lisbon'
const OTHER = 'The repo builds with pnpm'

const shared = { rationale: 'said', score: 0.9, evidence: [] }
const fact = (content: string) => ({ target: 'user', op: { action: 'add', content }, ...shared })
const leak = fact(`The token is ${KEY}`)
const skill = { target: 'skill', op: { action: 'create', name: 'deploy', content: skillText('deploy', `Use ${KEY}.`) }, ...shared }

/** The events of one review of ten turns. */
const review = async (model: HostModel, options: Partial<HermesOptions> = {}, more: readonly TurnMessage[] = []) => {
  const { hermes, events } = openHome(inMemoryBackend(), { gate: yes, ...options })
  const session = hermes.session('one')
  session.offerTools()
  for (let turn = 1; turn <= 10; turn++)
    session.recordTurn({ messages: [user(`q${turn}`), ...more, assistant('a')], toolIterations: 1, model })
  await hermes.settled()
  return events
}

/** Everything that a log may show of a value. */
const logged = (value: unknown): string => [JSON.stringify(value), inspect(value, { depth: 20, showHidden: true })].join('\n')

describe('the event of a finished review', () => {
  it.each([
    ['a refused fact', leak],
    ['a reason', { ...fact(FACT), rationale: `They said ${KEY}` }],
    ['a proposal that is none', { ...leak, target: 'nowhere' }],
    ['a refused skill', skill],
  ])('holds no key of %s', async (_, proposed) => {
    const events = await review(async () => answer(proposed, fact(OTHER)))
    const [finished] = events.flatMap((event) => (event.type === 'review-finished' ? [event.outcome] : []))
    expect(finished?.applied.map(({ proposal }) => proposal.op)).toContainEqual({ action: 'add', content: OTHER })
    expect([...(finished?.rejected ?? []), ...(finished?.held ?? []), ...(finished?.applied ?? [])]).toHaveLength(2)
    expect(logged(events)).toContain('[redacted: looks like a secret]')
    expect(logged(events)).not.toContain(KEY)
  })
})

describe('the event of a failed review', () => {
  it('holds no key that was refused before the gate failed', async () => {
    const gate: HermesOptions['gate'] = async () => err(new HermesError('gate', 'The host is down.'))
    const events = await review(async () => answer(leak, fact(OTHER)), { gate })
    expect(events.at(-1)).toMatchObject({ type: 'review-failed', error: { code: 'gate' } })
    expect(logged(events)).not.toContain(KEY)
  })

  it('holds no key of an answer that cannot be read', async () => {
    const events = await review(async () => `I would rather not.\nThe token is ${KEY}.`)
    expect(events.at(-1)).toMatchObject({
      type: 'review-failed',
      error: { code: 'unparseable', details: { answer: 'I would rather not.\n[redacted: looks like a secret]' } },
    })
    expect(logged(events)).not.toContain(KEY)
  })

  it('holds no key of the error that the model threw', async () => {
    const events = await review(async () => {
      throw new Error(`Incorrect key provided: ${KEY}`)
    })
    expect(events.at(-1)).toMatchObject({ type: 'review-failed', error: { code: 'model' } })
    expect(logged(events)).not.toContain(KEY)
  })
})
