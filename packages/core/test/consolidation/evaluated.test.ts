/** What a host's evaluator says of a merge, which the gate has approved and nobody has written yet. */
import { describe, expect, it } from 'vitest'
import { skillChecks } from '../../src/evaluation/skill-checks.ts'
import type { SkillEvaluator } from '../../src/evaluation/skill-evaluator.ts'
import type { LearningCost } from '../../src/model/learning-cost.ts'
import { ok } from '../../src/shared/result.ts'
import { unwrap } from '../support/skill-library.ts'
import { asYaml, CREATE, consolidate, living, openLibrary, type Proposer, reportOf, scripted, TRIAGE } from './library.ts'

describe('a merge', () => {
  it('is shown to the evaluator with the files that come along and the skills that it replaces, and done if that agrees', async () => {
    const seen: unknown[] = []
    const evaluate: SkillEvaluator = ({ op }, { before, after, replaces, origin }) => {
      const files = [...replaces].map(([name, texts]) => [name, [...texts.keys()].toSorted()])
      seen.push({
        action: op.action,
        before,
        text: after.get('SKILL.md')?.includes('# Triage'),
        paths: [...after.keys()],
        files,
        origin,
      })
      return { verdict: 'approve', reason: 'The tests pass.', evidence: ['3 of 3'] }
    }
    const library = await openLibrary()
    const { outcome, journal } = await consolidate(library, scripted(CREATE).proposer, { evaluate })
    expect(unwrap(outcome).consolidated).toHaveLength(2)
    expect(seen).toEqual([
      {
        action: 'create',
        before: undefined,
        text: true,
        paths: expect.arrayContaining(['SKILL.md', 'references/pr-triage-labels.md', 'scripts/pr-triage-labels/label.sh']),
        files: [
          ['pr-triage-labels', ['SKILL.md', 'references/labels.md', 'scripts/label.sh']],
          ['pr-triage-stale', ['SKILL.md']],
        ],
        origin: expect.stringMatching(/^(user|assistant)$/),
      },
    ])
    const [written] = unwrap(await journal.list({ kind: 'applied' })).filter(({ actor }) => actor === 'curator')
    expect(written).toMatchObject({ op: { action: 'create' }, evaluation: { verdict: 'approve', evidence: ['3 of 3'] } })
  })

  it.each(['hold', 'reject'] as const)('that the evaluator answers with %s is not done, and the journal says why', async (verdict) => {
    const library = await openLibrary()
    const before = await living(library)
    const evaluate: SkillEvaluator = () => ({ verdict, reason: 'The tests fail.' })
    const { outcome, journal, pending } = await consolidate(library, scripted(CREATE).proposer, { evaluate })
    const { consolidated, held, refused } = unwrap(outcome)
    expect([consolidated, verdict === 'hold' ? held : refused]).toMatchObject([[], [{ into: 'pr-triage', why: 'The tests fail.' }]])
    expect(await living(library)).toEqual(before)
    expect(unwrap(await pending.list())).toHaveLength(verdict === 'hold' ? 1 : 0)
    expect(unwrap(await journal.list({ kind: verdict === 'hold' ? 'held' : 'rejected' }))).toMatchObject([
      { actor: 'curator', reason: 'The tests fail.', evaluation: { verdict } },
    ])
  })

  it('is not shown to the evaluator if the gate does not approve it', async () => {
    let asked = 0
    const evaluate: SkillEvaluator = () => {
      asked += 1
      return undefined
    }
    const gate = async () => ok({ verdict: 'hold', reason: 'Ask.' } as const)
    expect((await reportOf(await openLibrary(), scripted(CREATE).proposer, { gate, evaluate })).held).toHaveLength(1)
    expect(asked).toBe(0)
  })
})

describe('the checks of merged skills', () => {
  const LABELS = TRIAGE['pr-triage-labels'] ?? { body: '' }
  const check = JSON.stringify({ task: 'Label a pull request.', holds: ['gh pr edit'] })
  const given = { ...TRIAGE, 'pr-triage-labels': { ...LABELS, files: { ...LABELS.files, 'checks/label.json': check } } }

  /** Plans the merge, and does the task of a check with the command of the skill, unless it finds the skill too long. */
  const model =
    (isTooLong: (skill: string) => boolean): Proposer =>
    async ({ system }) => {
      const [, skill] = /<skill>([\s\S]*)<\/skill>/.exec(system) ?? []
      if (skill === undefined) return ok(asYaml(CREATE))
      return ok(JSON.stringify({ answer: isTooLong(skill) ? 'I would ask.' : 'Run gh pr edit.' }))
    }

  it('are played with the skill before and with the umbrella after: a merge that makes them worse waits', async () => {
    const costs: LearningCost[] = []
    const options = { evaluate: skillChecks(), onCost: (cost: LearningCost) => costs.push(cost) }
    const { held } = await reportOf(
      await openLibrary(given),
      model((skill) => skill.includes('# Triage')),
      options,
    )
    expect(held).toMatchObject([{ into: 'pr-triage', why: expect.stringContaining('1 of 1 passed before, 0 after') }])
    // One question about the merge, and one for each version of the skill.
    expect(costs).toMatchObject([{ calls: 3 }])
    const merged = await reportOf(
      await openLibrary(given),
      model(() => false),
      options,
    )
    expect(merged.consolidated).toHaveLength(2)
  })
})
