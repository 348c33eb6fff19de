/** A skill that nobody used and that the curator archived comes back when it is needed; a review writes no second skill for the same kind of task. */
import { describe, expect, it } from 'vitest'
import { createHermes, type Hermes, inMemoryBackend } from '../src/index.ts'
import type { ReviewOutcome } from '../src/review/review-outcome.ts'
import { ok } from '../src/shared/result.ts'
import type { SkillOp } from '../src/skills/skill-op.ts'
import { must } from './support/must.ts'

const DAY = 86_400_000

const setUp = () => {
  let now = Date.UTC(2026, 0, 1)
  let ops: readonly SkillOp[] = []
  const outcomes: ReviewOutcome[] = []
  const hermes = createHermes({
    storage: inMemoryBackend(),
    clock: () => now,
    gate: async () => ok({ verdict: 'approve', reason: 'yes', origin: 'user' }),
    onEvent: (event) => {
      if (event.type === 'review-finished') outcomes.push(event.outcome)
    },
    review: {
      model: async () => JSON.stringify({ proposals: ops.map((op) => ({ target: 'skill', op, score: 1, rationale: 'It worked.' })) }),
    },
  })
  let sessions = 0
  const review = async (...proposed: readonly SkillOp[]): Promise<ReviewOutcome> => {
    ops = proposed
    const session = hermes.session(`chat-${sessions++}`)
    await session.systemBlock()
    for (let turn = 0; turn < 3; turn++)
      session.recordTurn({
        toolIterations: 4,
        messages: [{ role: 'user', text: `${turn}: about ${ops.map(({ name }) => name).join(', ')}` }],
      })
    await hermes.settled()
    const outcome = outcomes.pop()
    if (!outcome) throw new Error('No review has finished.')
    return outcome
  }
  const age = async () => {
    now += 100 * DAY
    must(await hermes.curator.run())
    now += 100 * DAY
    must(await hermes.curator.run())
  }
  const live = async () => must(await hermes.skillStore().list()).skills.map(({ name }) => name)
  return { hermes, review, age, live }
}

const create = (name: string, description: string): SkillOp => ({
  action: 'create',
  name,
  content: `---\nname: ${name}\ndescription: ${description}\n---\n\n1. Do it.\n`,
})

const viewAs = async (hermes: Hermes, name: string): Promise<string> => {
  const session = hermes.session('asks')
  const tool = session.offerTools().find((each) => each.name === 'skill_view')
  await session.systemBlock()
  return JSON.stringify(await tool?.execute({ name }))
}

const used = async (hermes: Hermes, name: string) => {
  await viewAs(hermes, name)
  await hermes.settled()
}

describe('a skill that is archived because nobody used it', () => {
  const archived = async () => {
    const home = setUp()
    await home.review(create('deploy-billing', 'How to deploy the billing service to staging.'))
    await used(home.hermes, 'deploy-billing')
    await home.age()
    expect(await home.live()).toEqual([])
    return home
  }

  it('is restored when the agent asks for it by name, in the journal as the agent’s act', async () => {
    const { hermes, live } = await archived()
    expect(await viewAs(hermes, 'deploy-billing')).toContain('1. Do it.')
    expect(await live()).toEqual(['deploy-billing'])
    const [record] = must(await hermes.journal.list({ text: 'deploy-billing', limit: 1 }))
    expect(record).toMatchObject({ actor: 'agent', upkeep: { action: 'restore', subject: 'deploy-billing' } })
  })

  it('is restored by a review that is about to write it anew, under its name or in other words', async () => {
    for (const twin of [
      create('deploy-billing', 'Ship it.'),
      create('billing-deployment', 'How the billing service is deployed to the staging environment.'),
    ]) {
      const { review, live } = await archived()
      const { applied, rejected } = await review(twin)
      expect(applied).toEqual([])
      expect(rejected).toMatchObject([{ reason: expect.stringContaining("'deploy-billing' for this kind of task was in the archive") }])
      expect(await live()).toEqual(['deploy-billing'])
    }
  })

  it('stays where it is for another kind of task', async () => {
    const { review, live, hermes } = await archived()
    expect((await review(create('bake-bread', 'How to bake a loaf of rye bread.'))).applied).toHaveLength(1)
    expect(await viewAs(hermes, 'deploy')).toContain('There is no skill')
    expect(await live()).toEqual(['bake-bread'])
  })

  it('stays where it is for the same kind of task about another subject', async () => {
    const { review, live } = await archived()
    expect((await review(create('deploy-search', 'How to deploy the search service to staging.'))).applied).toHaveLength(1)
    expect(await live()).toEqual(['deploy-search'])
  })
})

it('a skill that a person or the agent has archived does not come back by itself', async () => {
  for (const putAway of [
    async ({ hermes }: ReturnType<typeof setUp>) => must(await hermes.curator.archive('deploy-billing')),
    async ({ hermes }: ReturnType<typeof setUp>) => {
      const tool = hermes
        .session('tidies')
        .offerTools()
        .find(({ name }) => name === 'skill_manage')
      const call = { action: 'delete', name: 'deploy-billing' }
      await tool?.execute(call, { messages: [{ role: 'user', text: 'Archive deploy-billing.' }] })
    },
  ]) {
    const home = setUp()
    await home.review(create('deploy-billing', 'How to deploy the billing service to staging.'))
    await putAway(home)
    expect(await viewAs(home.hermes, 'deploy-billing')).toContain('There is no skill')
    expect(await home.live()).toEqual([])
  }
})

describe('a review', () => {
  const SUBJECTS = ['billing', 'search', 'mail', 'login', 'export', 'invoice', 'calendar', 'chat', 'photo', 'map']
  const KINDS: ReadonlyArray<readonly [name: string, said: string, again: string]> = [
    ['deploy', 'How to deploy the {} service to the staging cluster.', 'Deploying the {} service on the staging cluster.'],
    ['restore-backup-of', 'Restore the nightly backup of the {} database.', 'How a nightly {} database backup gets restored.'],
    ['rotate-keys-of', 'Rotate the signing keys of the {} gateway safely.', 'Safe rotation of signing keys for the {} gateway.'],
    ['profile', 'Profile slow requests of the {} worker with flame graphs.', 'Flame graphs to profile slow requests in the {} worker.'],
    [
      'release-notes-for',
      'Write release notes for the {} app from merged changes.',
      'Writing the {} app release notes out of merged changes.',
    ],
    ['translate', 'Translate the {} screens and check them with the linter.', 'Checking translated {} screens with the linter.'],
    ['seed', 'Seed the {} test data before the integration tests.', 'Test data for {} is seeded before integration tests.'],
    ['triage', 'Triage crash reports of the {} client by stack trace.', 'Crash reports of the {} client, triaged by stack traces.'],
    ['bump', 'Bump dependencies of the {} library and run its checks.', 'Bumping the dependencies of the {} library, then its checks.'],
    ['mock', 'Mock the {} provider for offline development.', 'Offline development with a mocked {} provider.'],
  ]

  it('writes a skill for each kind of task about each subject', async () => {
    const { review, live } = setUp()
    for (const subject of ['billing', 'search'])
      for (const [kind, said] of KINDS) await review(create(`${kind}-${subject}`, said.replaceAll('{}', subject)))
    expect(await live()).toHaveLength(2 * KINDS.length)
  })

  it('writes none of 200 skills that repeat one in other words, and all of 100 others', async () => {
    let [written, repeated] = [0, 0]
    for (const [kind, said, again] of KINDS) {
      for (const subject of SUBJECTS) {
        const { review } = setUp()
        const fill = (text: string) => text.replaceAll('{}', subject)
        written += (await review(create(`${kind}-${subject}`, fill(said)))).applied.length
        repeated += (await review(create(`${subject}-${kind}-guide`, fill(again)))).applied.length
        repeated += (await review(create(`${kind}-${subject}-steps`, fill(said)))).applied.length
      }
    }
    expect(written).toBe(100)
    expect(repeated).toBe(0)
  })
})
