import { describe, expect, it } from 'vitest'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err } from '../../src/shared/result.ts'
import { treeOf, unwrap } from '../support/skill-library.ts'
import { asYaml, CREATE, consolidate, DAY, type GivenSkill, NOW, openLibrary, reportOf, scripted, TRIAGE } from './library.ts'

const NOTHING = { consolidations: [], prunings: [] }

const pair = (first: string, second: string): Readonly<Record<string, GivenSkill>> => ({
  [`${first}-${second}-one`]: { description: `Every ${first} ${second}`, body: `All about ${first} and ${second}.` },
  [`${first}-${second}-two`]: { description: `Another ${first} ${second}`, body: `More about ${first} and ${second}.` },
})

const FOUR_GROUPS = {
  ...pair('alpha', 'boats'),
  ...pair('charlie', 'ducks'),
  ...pair('echo', 'forks'),
  ...pair('golf', 'hills'),
}

describe('what a consolidation costs', () => {
  it('is nothing if no two skills belong together', async () => {
    const { proposer, requests } = scripted(CREATE)
    for (const given of [
      {},
      { alone: { body: 'One.' } },
      { one: { body: 'A.', description: 'Poems' }, two: { body: 'B.', description: 'Taxes' } },
    ]) {
      expect(await reportOf(await openLibrary(given), proposer)).toMatchObject({ calls: 0, clusters: { asked: 0, unchanged: 0, left: 0 } })
    }
    expect(requests).toEqual([])
  })

  it('is paid once for the same skills, and again when one of them changes', async () => {
    const library = await openLibrary()
    const { proposer, requests } = scripted(NOTHING)
    await reportOf(library, proposer)
    expect(await reportOf(library, proposer)).toMatchObject({ calls: 0, clusters: { asked: 0, unchanged: 1, left: 0 } })
    unwrap(await library.skills.patch('pr-triage-stale', { oldText: '60 days', newText: '90 days' }))
    expect(await reportOf(library, proposer)).toMatchObject({ calls: 1, clusters: { asked: 1, unchanged: 0 } })
    expect(requests).toHaveLength(2)
  })

  it('is paid twice for an answer that is refused, and again after a month, when another gate or model may say yes', async () => {
    const library = await openLibrary()
    const unsure = { ...CREATE, consolidations: CREATE.consolidations.map((one) => ({ ...one, score: 0.2 })) }
    const { proposer, requests } = scripted(unsure)
    const runAfter = (days: number) => reportOf({ ...library, clock: () => NOW + days * DAY }, proposer)
    for (const days of [0, 7, 14, 21]) await runAfter(days)
    expect(requests).toHaveLength(2)
    for (const days of [40, 47, 54]) await runAfter(days)
    expect(requests).toHaveLength(4)
    expect(await reportOf({ ...library, clock: () => NOW + 80 * DAY }, scripted(CREATE).proposer)).toMatchObject({ created: ['pr-triage'] })
  })

  it('ends with the number of calls, and the next run continues with the rest', async () => {
    const library = await openLibrary(FOUR_GROUPS)
    const { proposer, requests } = scripted(NOTHING)
    expect(await reportOf(library, proposer, { budget: { maxSteps: 3 } })).toMatchObject({
      calls: 3,
      stopped: 'steps',
      clusters: { asked: 3, left: 1 },
    })
    expect(await reportOf(library, proposer, { budget: { maxSteps: 3 } })).toMatchObject({
      calls: 1,
      stopped: undefined,
      clusters: { asked: 1, unchanged: 3, left: 0 },
    })
    expect(new Set(requests.map(({ user }) => /\(name: (\w+)/.exec(user)?.[1])).size).toBe(4)
  })

  it('asks for no longer answers than the budget has left', async () => {
    const { proposer, requests } = scripted(`${'word '.repeat(4_000)}${asYaml(NOTHING)}`)
    await reportOf(await openLibrary(FOUR_GROUPS), proposer, { budget: { maxOutputTokens: 8_000, maxAnswerTokens: 6_000 } })
    expect(requests.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([6_000, expect.any(Number)])
    expect(requests[1]?.maxOutputTokens).toBeLessThan(3_000)
  })

  it('shows no skill in part: one that does not fit is left out, and named if no question is left', async () => {
    const long = { description: 'Long triage of pull requests', body: 'Long. '.repeat(8_000) }
    const { proposer, requests } = scripted(NOTHING)
    await reportOf(await openLibrary({ ...TRIAGE, 'pr-triage-long': long }), proposer, { budget: { maxRequestTokens: 4_000 } })
    expect(requests[0]?.user).not.toContain('Long. Long.')
    const alone = await reportOf(await openLibrary({ 'pr-long-a': long, 'pr-long-b': long }), proposer, {
      budget: { maxRequestTokens: 4_000 },
    })
    expect(alone).toMatchObject({ calls: 0, problems: [{ code: 'over_limit', message: expect.stringContaining("'pr-long-a'") }] })
  })

  it('asks nothing if a limit is none', async () => {
    for (const budget of [
      { maxSteps: 0 },
      { maxSteps: Number.NaN },
      { maxOutputTokens: Number.NaN },
      { maxInputTokens: Number.NaN },
      { maxRequestTokens: Number.NaN },
    ]) {
      const { proposer, requests } = scripted(CREATE)
      await reportOf(await openLibrary(), proposer, { budget })
      expect(requests).toEqual([])
    }
  })
})

describe('a dry run', () => {
  it('tells what would be merged, and writes nothing', async () => {
    const library = await openLibrary()
    const before = await treeOf(library.storage, '')
    const { outcome, pending } = await consolidate(library, scripted(CREATE).proposer, { dryRun: true })
    expect(unwrap(outcome)).toMatchObject({
      dryRun: true,
      created: ['pr-triage'],
      consolidated: [
        { name: 'pr-triage-labels', into: 'pr-triage', archivedAs: undefined },
        { name: 'pr-triage-stale', into: 'pr-triage', archivedAs: undefined },
      ],
    })
    expect(unwrap(await pending.list())).toEqual([])
    expect(await treeOf(library.storage, '')).toEqual(before)
    const done = await reportOf(library, scripted(CREATE).proposer)
    const facts = (consolidated: typeof done.consolidated) => consolidated.map(({ archivedAs: _, ...rest }) => rest)
    expect(facts(done.consolidated)).toEqual(facts(unwrap(outcome).consolidated))
  })
})

describe('what is done before the first change', () => {
  it('ends the merging if it fails', async () => {
    const library = await openLibrary()
    const before = await treeOf(library.storage)
    const beforeChanges = async () => err(new HermesError('no_space', 'full'))
    const { outcome } = await consolidate(library, scripted(CREATE).proposer, { beforeChanges })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'no_space' } })
    expect(await treeOf(library.storage)).toEqual(before)
  })

  it('is not done if nothing changes', async () => {
    const library = await openLibrary(TRIAGE)
    const beforeChanges = () => Promise.reject(new Error('Not to be called.'))
    expect(await reportOf(library, scripted(NOTHING).proposer, { beforeChanges })).toMatchObject({ consolidated: [] })
  })
})
