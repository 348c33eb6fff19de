/** `skills.evaluate`: what a host's evaluator says of a skill that a review or the agent changes, and the evaluator that plays the skill's own checks. */
import { describe, expect, it } from 'vitest'
import { type SkillEvaluation, type SkillEvaluator, skillChecks } from '../src/entries/skills.ts'
import { createHermes, type HermesOptions, inMemoryBackend } from '../src/index.ts'
import { sumLedger } from '../src/journal/journal-record.ts'
import type { HostModelRequest } from '../src/model/host-model.ts'
import type { ReviewOutcome } from '../src/review/review-outcome.ts'
import type { Origin } from '../src/shared/origin.ts'
import { ok } from '../src/shared/result.ts'
import type { SkillOp } from '../src/skills/skill-op.ts'
import { must } from './support/must.ts'

const skillText = (name: string, ...lines: readonly string[]) =>
  `---\nname: ${name}\ndescription: How to deploy ${name}.\n---\n\n${lines.join('\n')}\n`

/** Follows the commands of the skill that it was given, and knows none without. */
const doTask = ({ system }: HostModelRequest): string => {
  const commands = [...(/<skill>([\s\S]*)<\/skill>/.exec(system)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, command]) => command)
  return JSON.stringify({ answer: commands.join('\n') || 'I would ask a colleague.' })
}

const setUp = (
  skills: NonNullable<HermesOptions['skills']>,
  { origin = 'user', answer = doTask }: { origin?: Origin; answer?: typeof doTask } = {},
) => {
  const questions: HostModelRequest[] = []
  const outcomes: ReviewOutcome[] = []
  let ops: readonly SkillOp[] = []
  const hermes = createHermes({
    storage: inMemoryBackend(),
    skills,
    onEvent: (event) => {
      if (event.type === 'review-finished') outcomes.push(event.outcome)
    },
    gate: async () => ok({ verdict: 'approve', reason: 'yes', origin }),
    review: {
      model: async (request) => {
        if (Reflect.get(request.schema['properties'] as object, 'answer') === undefined)
          return JSON.stringify({ proposals: ops.map((op) => ({ target: 'skill', op, score: 1, rationale: 'It worked.' })) })
        questions.push(request)
        return answer(request)
      },
    },
  })
  let sessions = 0
  const review = async (...proposed: readonly SkillOp[]) => {
    ops = proposed
    const session = hermes.session(`chat-${sessions++}`)
    await session.systemBlock()
    for (let turn = 0; turn < 3; turn++)
      session.recordTurn({
        toolIterations: 4,
        messages: [{ role: 'user', text: `How do I deploy ${proposed.map(({ name }) => name).join(', ')}? ${turn}` }],
      })
    await hermes.settled()
    const outcome = outcomes.pop()
    if (!outcome) throw new Error('No review has finished.')
    return outcome
  }
  const textOf = async (name: string) => must(await hermes.skillStore().view(name)).content
  const recorded = async (kind: 'applied' | 'held' | 'rejected') =>
    must(await hermes.journal.list({ kind })).find(({ target }) => target === 'skill')
  return { hermes, review, questions, textOf, recorded }
}

const create: SkillOp = { action: 'create', name: 'deploy', content: skillText('deploy', '1. `make release`') }
const patch: SkillOp = { action: 'patch', name: 'deploy', oldText: 'make release', newText: 'make ship' }

describe('a host’s evaluator', () => {
  it('sees the skill before and after, and its answer is in the outcome and in the journal', async () => {
    const seen: unknown[] = []
    const evaluate: SkillEvaluator = (_, { name, path, before, after, origin }) => {
      seen.push({ name, path, before: before?.get('SKILL.md'), after: after.get('SKILL.md'), origin })
      return { verdict: 'approve', reason: 'The tests pass.', evidence: ['3 of 3', `token sk-live-${'a1B2'.repeat(8)}`] }
    }
    const { review, recorded } = setUp({ evaluate })
    await review(create)
    const outcome = await review(patch)
    const after = skillText('deploy', '1. `make ship`')
    expect(seen).toEqual([
      { name: 'deploy', path: 'deploy', before: undefined, after: create.action === 'create' ? create.content : '', origin: 'user' },
      { name: 'deploy', path: 'deploy', before: skillText('deploy', '1. `make release`'), after, origin: 'user' },
    ])
    expect(outcome.applied).toMatchObject([{ evaluation: { verdict: 'approve', reason: 'The tests pass.' } }])
    expect((await recorded('applied'))?.evaluation).toMatchObject({
      verdict: 'approve',
      evidence: ['3 of 3', expect.not.stringContaining('sk-live-')],
    })
  })

  it('keeps no part of a secret at the end of a long line', async () => {
    const reason = `${'It said: '.padEnd(280, '.')} ghp_${'a1B2'.repeat(9)}`
    const { review, hermes } = setUp({ evaluate: () => ({ verdict: 'hold', reason, evidence: [reason] }) })
    await review(create)
    expect(JSON.stringify(must(await hermes.journal.list()))).not.toContain('a1B2')
  })

  it.each(['hold', 'reject'] as const)('%ss a change, which is not written', async (verdict) => {
    const { review, recorded, hermes } = setUp({ evaluate: () => ({ verdict, reason: 'The tests fail.', evidence: ['1 of 3'] }) })
    const outcome = await review(create)
    expect(outcome[verdict === 'hold' ? 'held' : 'rejected']).toMatchObject([{ reason: 'The tests fail.' }])
    expect(await recorded(verdict === 'hold' ? 'held' : 'rejected')).toMatchObject({
      reason: 'The tests fail.',
      evaluation: { verdict, evidence: ['1 of 3'] },
    })
    expect(must(await hermes.skillStore().list()).skills).toEqual([])
    expect(must(await hermes.pending.list())).toHaveLength(verdict === 'hold' ? 1 : 0)
  })

  it('a person who approves what it held is not asked to prove it', async () => {
    const { review, hermes, textOf } = setUp({ evaluate: () => ({ verdict: 'hold', reason: 'No.' }) })
    await review(create)
    const [held] = must(await hermes.pending.list())
    must(await hermes.pending.approve(held?.id ?? ''))
    expect(await textOf('deploy')).toContain('make release')
  })

  const failing: readonly (readonly [string, SkillEvaluator])[] = [
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
    ['hangs', () => new Promise(() => {})],
    ['answers nonsense', () => 'yes' as unknown as SkillEvaluation],
    [
      'asks for more than its tokens',
      async (_, { ask }) => {
        const answered = await ask?.({
          system: 'x'.repeat(40_000),
          messages: [],
          schema: { properties: { answer: {} } },
          maxOutputTokens: 10,
        })
        if (answered?.ok === false) throw answered.error
        return { verdict: 'reject', reason: 'never' }
      },
    ],
  ]

  it.each(failing)('that %s gives no verdict: own words are applied, text from outside waits', async (_, evaluate) => {
    const evaluation = { timeoutMs: 50, maxTokens: 5_000 }
    expect((await setUp({ evaluate, evaluation }).review(create)).applied).toMatchObject([{ evaluation: { verdict: 'approve' } }])
    const outside = await setUp({ evaluate, evaluation }, { origin: 'tool' }).review(create)
    expect(outside.held).toMatchObject([{ reason: expect.stringMatching(/^Whether the skill works is not known: /) }])
    const never = await setUp({ evaluate, evaluation: { ...evaluation, withoutVerdict: 'hold' } }).review(create)
    expect(never.held).toHaveLength(1)
  })

  it('is not asked about a skill that is archived, nor about a change by the host', async () => {
    const asked: string[] = []
    const { review, hermes } = setUp({
      evaluate: (_, { name }) => {
        asked.push(name)
        return undefined
      },
    })
    await review(create)
    await review({ action: 'archive', name: 'deploy' })
    must(
      await hermes
        .session('host')
        .submit({ target: 'skill', op: { ...create, name: 'own', content: skillText('own', 'x') }, score: 1, rationale: '' }),
    )
    expect(asked).toEqual(['deploy'])
  })
})

describe('skillChecks()', () => {
  const addCheck = (name: string, check: unknown): SkillOp => ({
    action: 'write_file',
    name,
    filePath: 'checks/deploy.json',
    content: JSON.stringify(check),
  })

  /** A skill of the agent with a check, whose command is `command`. */
  const withSkill = async (
    name: string,
    command: string,
    given: Parameters<typeof setUp>[1] = {},
    skills: Parameters<typeof setUp>[0] = { evaluate: skillChecks() },
  ) => {
    const home = setUp(skills, given)
    await home.review({ action: 'create', name, content: skillText(name, `1. \`${command}\``) })
    await home.review(addCheck(name, { task: `Deploy ${name}.`, holds: [`pipe run ${name}`], never: ['--force'] }))
    return home
  }
  const change = (name: string, oldText: string, newText: string): SkillOp => ({ action: 'patch', name, oldText, newText })
  const NAMES = Array.from({ length: 30 }, (_, index) => `service-${index}`)

  /** Of 30 changes each: how many were applied. */
  const applied = async (skills: Parameters<typeof setUp>[0]) => {
    let [good, useless, harmful] = [0, 0, 0]
    for (const [index, name] of NAMES.entries()) {
      const repaired = await withSkill(name, `pipe start ${name}`, {}, skills)
      good += (await repaired.review(change(name, 'pipe start', 'pipe run'))).applied.length
      const right = await withSkill(name, `pipe run ${name}`, {}, skills)
      useless += (await right.review(change(name, '1. ', `Remark ${index}: be careful.\n1. `))).applied.length
      const harms = [`pipe run ${name} --force`, `pipe delete ${name}`, '# nothing']
      harmful += (await right.review(change(name, `pipe run ${name}`, harms[index % harms.length] ?? ''))).applied.length
      expect((await right.textOf(name)).includes(`pipe run ${name}\``)).toBe(harmful === 0)
    }
    return { good, useless, harmful }
  }

  it('applies each of 30 good changes and 30 useless ones, and none of 30 harmful ones, which all are applied without checks', async () => {
    expect(await applied({ evaluate: skillChecks() })).toEqual({ good: 30, useless: 30, harmful: 0 })
    expect(await applied({})).toEqual({ good: 30, useless: 30, harmful: 30 })
  })

  it('says of a harmful change what failed, and keeps it for a person', async () => {
    const { review, recorded } = await withSkill('billing', 'pipe run billing')
    const outcome = await review(change('billing', 'pipe run billing', 'pipe run billing --force'))
    expect(outcome.held).toMatchObject([{ reason: 'The change makes the checks worse: 1 of 1 passed before, 0 after. A person decides.' }])
    expect((await recorded('held'))?.evaluation?.evidence).toEqual([
      "checks/deploy.json: passed 1 of 1 before, 0 of 1 after (has '--force')",
    ])
  })

  it('the agent may neither weaken nor remove a check: a person decides', async () => {
    const { hermes } = await withSkill('billing', 'pipe run billing')
    const session = hermes.session('agent')
    const manage = session.offerTools().find(({ name }) => name === 'skill_manage')
    await session.systemBlock()
    const check = { name: 'billing', file_path: 'checks/deploy.json' }
    const messages = [{ role: 'user', text: 'Change the check of billing.' }] as const
    for (const call of [
      { action: 'write_file', ...check, file_content: JSON.stringify({ task: 'Say hello.', holds: ['hello'] }) },
      { action: 'remove_file', ...check },
    ])
      expect(JSON.stringify(await manage?.execute(call, { messages }))).toContain("changes the check 'checks/deploy.json'")
    expect(must(await hermes.skillStore().view('billing', check.file_path)).content).toContain('--force')
  })

  it('no change displaces a check by others that are played instead of it', async () => {
    const { review } = await withSkill('billing', 'pipe run billing')
    const trivial = JSON.stringify({ task: 'Say hello.', never: ['goodbye'], holds: [] })
    for (let index = 0; index < 20; index++)
      await review({ action: 'write_file', name: 'billing', filePath: `checks/a${index}.json`, content: trivial })
    expect((await review(change('billing', 'pipe run billing', 'pipe delete billing'))).held).toHaveLength(1)
  })

  it('what it costs to evaluate a change by the agent is in the record of the change, and in no other', async () => {
    const { hermes, questions } = await withSkill('billing', 'pipe run billing')
    questions.length = 0
    const session = hermes.session('agent')
    const manage = session.offerTools().find(({ name }) => name === 'skill_manage')
    await session.systemBlock()
    const call = { action: 'patch', name: 'billing', old_string: '1. ', new_string: '1. Then: ' }
    await manage?.execute(call, { messages: [{ role: 'user', text: 'Patch billing.' }] })
    await hermes.settled()
    const records = must(await hermes.journal.list()).filter(({ actor }) => actor === 'agent')
    expect(questions).toHaveLength(2)
    expect(records).toMatchObject([{ kind: 'applied', cost: { calls: 2 } }])
    expect(sumLedger(records).total).toMatchObject({ runs: 1, unfinished: 0, calls: 2 })
  })

  it('a skill without checks costs no question, and held-out checks guard a new one', async () => {
    const free = setUp({ evaluate: skillChecks() })
    await free.review(create)
    expect(free.questions).toEqual([])
    const heldOut = () => [{ task: 'Deploy.', holds: ['colleague'] }]
    const guarded = setUp({ evaluate: skillChecks({ heldOut }) })
    expect((await guarded.review(create)).held).toMatchObject([
      { reason: expect.stringContaining('1 of 1 passed without the skill, 0 after') },
    ])
  })

  it('a model that fails gives no verdict', async () => {
    let isDown = false
    const answer: typeof doTask = (request) => {
      if (isDown) throw new Error('overloaded')
      return doTask(request)
    }
    const { review } = await withSkill('billing', 'pipe run billing', { answer, origin: 'tool' })
    isDown = true
    const outcome = await review(change('billing', '1. ', '1. First: '))
    expect(outcome.held).toMatchObject([{ reason: expect.stringContaining('overloaded') }])
  })
})

describe('the tokens of learning', () => {
  const TOKENS = { inputTokens: 6_000, outputTokens: 0 }

  /** Turns of which each three are due for a review, over a model whose evaluations cost 6,000 tokens and whose reviews cost none. */
  const open = (evaluate?: SkillEvaluator) => {
    const waits: unknown[] = []
    const hermes = createHermes({
      storage: inMemoryBackend(),
      skills: evaluate ? { evaluate } : {},
      gate: async () => ok({ verdict: 'approve', reason: 'yes', origin: 'user' }),
      nudge: { memoryInterval: 3 },
      onEvent: (event) => {
        if (event.type === 'review-waits') waits.push(event.reason)
      },
      review: {
        maxTokensPerDay: 5_000,
        model: async (request) => {
          if (Reflect.get(request.schema['properties'] as object, 'answer') !== undefined) return { text: doTask(request), usage: TOKENS }
          const text = JSON.stringify({ proposals: [{ target: 'skill', op: create, score: 1, rationale: 'It worked.' }] })
          return { text, usage: { inputTokens: 1, outputTokens: 0 } }
        },
      },
    })
    const session = hermes.session('chat')
    const talk = async () => {
      await session.systemBlock()
      for (let turn = 0; turn < 3; turn++)
        session.recordTurn({ toolIterations: 4, messages: [{ role: 'user', text: `How do I deploy? ${turn}` }] })
      await hermes.settled()
    }
    return { hermes, talk, waits }
  }

  const asks: SkillEvaluator = skillChecks({ heldOut: () => [{ task: 'Deploy.', holds: ['make'] }] })

  it('that an evaluation in a review used count for the limits of reviews', async () => {
    for (const [evaluate, expected] of [
      [undefined, []],
      [asks, ['tokens-per-day']],
    ] as const) {
      const { talk, waits } = open(evaluate)
      await talk()
      await talk()
      expect(waits).toEqual(expected)
    }
  })

  it('that was asked for by a person count for none of them', async () => {
    const { hermes, talk, waits } = open(asks)
    const turns = [{ sessionId: 'learn:old', messages: [{ role: 'user' as const, text: 'How do I deploy?' }], toolIterations: 12 }]
    must(await hermes.learn.batch({ learnId: 'learn-1', turns, read: new Map(), isLast: true }))
    await talk()
    await talk()
    expect(must(await hermes.journal.list({ withCost: true })).map(({ cost }) => cost?.inputTokens)).toContain(12_001)
    expect(waits).toEqual([])
  })
})
