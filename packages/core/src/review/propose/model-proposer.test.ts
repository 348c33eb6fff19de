import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../../scripts/support/rounds.ts'
import type { HostModel, HostModelRequest } from '../../model/host-model.ts'
import { countUnits, estimateTokens } from '../../model/token-estimate.ts'
import { stampTranscript } from '../../proposal/stamp-transcript.ts'
import { ok } from '../../shared/result.ts'
import { inputBudget, inputShares, RETRY_TOKENS } from './input-shares.ts'
import { type ModelProposerOptions, modelProposer } from './model-proposer.ts'
import { digestRequest } from './prompts/review-request.ts'
import { RequestDates } from './request-dates.ts'

const good = '{"proposals":[{"target":"user","op":{"action":"add","content":"Likes tea"},"score":0.9}]}'
const transcript = stampTranscript(
  [
    { role: 'user', text: 'I like tea' },
    { role: 'assistant', text: 'noted' },
  ],
  new Set(),
)

/** Returns the answers in turn; an Error is thrown. */
const scripted = (...answers: readonly (string | Error)[]) => {
  const requests: HostModelRequest[] = []
  const model: HostModel = async (request) => {
    requests.push(request)
    const answer = answers[Math.min(requests.length, answers.length) - 1] ?? ''
    if (answer instanceof Error) throw answer
    return answer
  }
  return { model, requests }
}

const options = (model: HostModel, more: Partial<ModelProposerOptions> = {}): ModelProposerOptions => ({
  model,
  mode: 'digest',
  transcript,
  entries: { memory: ['Repo uses pnpm'], user: [] },
  usage: { memory: { usedChars: 2_000, charLimit: 2_200 }, user: { usedChars: 0, charLimit: 1_375 } },
  ...more,
})

const run = (model: HostModel, more: Partial<ModelProposerOptions> = {}, summary = 'summary') =>
  modelProposer(options(model, more))(summary)
const promptOf = ({ system, messages }: HostModelRequest) => [system, ...messages.map(({ content }) => content)].join('\n')

describe('modelProposer', () => {
  it('asks the model once and passes its proposals on', async () => {
    const { model, requests } = scripted(good)
    expect(await run(model)).toEqual({
      ok: true,
      value: { items: [ok({ target: 'user', op: { action: 'add', content: 'Likes tea' }, score: 0.9 })] },
    })
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({ purpose: 'review', mode: 'digest', maxOutputTokens: 2_000, schema: { type: 'object' } })
  })

  it('tells what already waits, as data, within bounds', async () => {
    for (const mode of ['digest', 'replay'] as const) {
      const { model, requests } = scripted(good)
      await run(model, {
        mode,
        waiting: ['Prefers </waiting> brevity', ...Array.from({ length: 99 }, (_, at) => `Waits ${at} ${'長'.repeat(900)}`)],
      })
      const prompt = promptOf(requests[0]!)
      expect(prompt).toContain('Do not propose it again')
      expect(prompt).toContain('Waits 98')
      expect(prompt).not.toContain('Waits 5 ')
      expect(estimateTokens(prompt)).toBeLessThan(24_000)
    }
    const { model, requests } = scripted(good)
    await run(model, { waiting: ['Prefers </waiting> brevity'] })
    expect(promptOf(requests[0]!)).toContain('- Prefers ‹/waiting> brevity')
  })

  it('shows the conversation with ids and origins, what is remembered, the budgets and the date', async () => {
    const { model, requests } = scripted(good)
    await run(model, { now: Date.UTC(2026, 4, 6) })
    const prompt = promptOf(requests[0]!)
    for (const part of [
      '[m1 | user | origin: user] I like tea',
      '- Repo uses pnpm',
      '2000 of 2200',
      'Nearly full',
      '2026-05-06',
      '"proposals"',
    ]) {
      expect(prompt).toContain(part)
    }
  })

  it('gives its providers one flat and closed schema, with the targets of the review', async () => {
    const enums = async (kind: ModelProposerOptions['kind']) => {
      const { model, requests } = scripted('{"proposals":[]}')
      await run(model, kind ? { kind } : {})
      const schema = JSON.stringify(requests[0]?.schema)
      expect(schema.match(/"type":"object"/g)?.length).toBe(schema.match(/"additionalProperties":false/g)?.length)
      return [...schema.matchAll(/"enum":(\[[^\]]*\])/g)].map(([, list]) => JSON.parse(list ?? '[]'))
    }
    expect(await enums('memory')).toEqual([
      ['memory', 'user'],
      ['add', 'replace', 'remove'],
    ])
    expect(await enums('skills')).toEqual([['skill'], ['create', 'patch', 'write_file']])
    expect(await enums('both')).toEqual([
      ['memory', 'user', 'skill'],
      ['add', 'replace', 'remove', 'create', 'patch', 'write_file'],
    ])
  })

  it('describes each field of a proposal in the schema', async () => {
    const schemaOf = async (kind: ModelProposerOptions['kind']) => {
      const { model, requests } = scripted('{"proposals":[]}')
      await run(model, kind ? { kind } : {})
      return requests[0]?.schema
    }
    const closed = (properties: Readonly<Record<string, unknown>>) => ({
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    })
    const text = { type: ['string', 'null'] }
    const expected = (targets: readonly string[], actions: readonly string[], before = {}, after = {}) =>
      closed({
        proposals: {
          type: 'array',
          items: closed({
            target: { type: 'string', enum: targets },
            op: closed({ action: { type: 'string', enum: actions }, ...before, content: text, oldText: text, ...after }),
            rationale: { type: 'string' },
            score: { type: 'number' },
            evidence: { type: 'array', items: closed({ messageId: text, quote: { type: 'string' } }) },
          }),
        },
      })
    const skills = [{ name: text, category: text, filePath: text }, { newText: text }] as const
    expect(await schemaOf(undefined)).toEqual(expected(['memory', 'user'], ['add', 'replace', 'remove'], {}, { from: text, until: text }))
    expect(await schemaOf('skills')).toEqual(expected(['skill'], ['create', 'patch', 'write_file'], ...skills))
  })

  it('passes on no operation that puts a skill away, takes a file out or writes a skill over whole, however it is spelt', async () => {
    const ops = [
      { action: 'archive', name: 'deploy' },
      { action: 'Remove-File', name: 'deploy', filePath: 'references/a.md' },
      { action: 'edit', name: 'deploy', content: 'x' },
      { action: 'write-file', name: 'deploy', filePath: 'references/b.md', content: 'x' },
    ]
    const { model } = scripted(JSON.stringify({ proposals: ops.map((op) => ({ target: 'skill', op, score: 0.9 })) }))
    const proposed = await run(model, { kind: 'both' })
    expect(proposed.ok && proposed.value.items.map((item) => (item.ok ? 'passed' : item.error.reason))).toEqual([
      expect.stringContaining("'archive'"),
      expect.stringContaining("'remove_file'"),
      expect.stringContaining("'edit'"),
      'passed',
    ])
  })

  it('leaves to the validation what is of no kind at all', async () => {
    const op = { action: 'burn', name: 'deploy' }
    const answer = [{ target: 'skill', op }, { target: 'elsewhere', op }, { target: 'memory', op }, { target: 'user', op }, 'note', null]
    const proposed = await run(scripted(JSON.stringify(answer)).model, { kind: 'skills' })
    const items = proposed.ok ? proposed.value.items.map((item) => (item.ok ? item.value : item.error.reason)) : []
    const others = 'This review was only about skills.'
    expect(items).toEqual([answer[0], { target: 'elsewhere', op: { action: 'burn' } }, others, others, 'note', null])
  })

  it('sends one message and no conversation in replay mode', async () => {
    const { model, requests } = scripted(good)
    await run(model, { mode: 'replay' })
    expect(requests[0]).toMatchObject({ mode: 'replay', system: '', messages: [{ role: 'user' }] })
    expect(promptOf(requests[0]!)).not.toContain('I like tea')
    expect(promptOf(requests[0]!)).toContain('Repo uses pnpm')
  })

  it('reviews the summary if there is no transcript', async () => {
    const { model, requests } = scripted(good)
    await run(model, { transcript: [] }, 'The user said </conversation> he likes tea')
    expect(promptOf(requests[0]!)).toContain('he likes tea')
    expect(promptOf(requests[0]!).match(/<\/conversation>/g)).toHaveLength(1)
  })

  describe('its room', () => {
    const long = (role: 'user' | 'assistant', count: number) =>
      stampTranscript(
        Array.from({ length: count }, (_, at) => ({ role, text: `${at} ${'x'.repeat(2_000)}` })),
        new Set(),
      )
    const tokensOf = async (more: Partial<ModelProposerOptions>) => {
      const { model, requests } = scripted(good)
      await run(model, more)
      return estimateTokens(promptOf(requests[0]!))
    }

    it('is used: what the user says fills the budget, but for the retry', async () => {
      for (const kind of ['memory', 'both'] as const) {
        const tokens = await tokensOf({ kind, transcript: long('user', 60) })
        expect(tokens).toBeGreaterThan(24_000 - 600 - 520)
        expect(tokens).toBeLessThanOrEqual(24_000 - 600)
      }
    })

    it('is not aimed for without an aim', async () => {
      const { model, requests } = scripted(good)
      await run(model, { transcript: long('assistant', 30) })
      expect(promptOf(requests[0]!).match(/x{2000}/g)).toHaveLength(30)
    })

    it('is aimed for without the skills, by cutting what the agent says', async () => {
      const transcript = long('assistant', 30)
      const plain = await tokensOf({ transcript, aimTokens: 4_000 })
      expect(plain).toBeGreaterThan(3_200)
      expect(plain).toBeLessThanOrEqual(4_000)
      const library = `LIBRARY ${'y'.repeat(8_000)}`
      const withSkills = await tokensOf({ transcript, aimTokens: 4_000, kind: 'both', library })
      expect(withSkills).toBeGreaterThan(4_000 + 1_200)
      expect(withSkills).toBeLessThanOrEqual(4_000 + 2_002)
    })

    it('leaves 600 tokens of the conversation however short the aim is', async () => {
      const empty = await tokensOf({ transcript: long('assistant', 1).slice(1) })
      const aimed = await tokensOf({ transcript: long('assistant', 3), aimTokens: 100 })
      expect(aimed - empty).toBeGreaterThan(450)
      expect(aimed - empty).toBeLessThanOrEqual(600)
    })
  })

  it('asks once more with the problem named when it cannot read the answer', async () => {
    const { model, requests } = scripted('I think tea is nice.', good)
    expect(await run(model)).toMatchObject({ ok: true, value: { items: [{ value: { target: 'user' } }] } })
    expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(requests[1]?.messages[2]?.content).toContain('no JSON object')
  })

  it('tries a model that throws once more, and then says so', async () => {
    const cause = new Error('overloaded')
    expect(await run(scripted(cause, good).model)).toMatchObject({ ok: true })
    const once = scripted(cause, good)
    await run(once.model)
    expect(once.requests[1]?.messages).toEqual(once.requests[0]?.messages)
    expect(await run(scripted(new Error('Busy. Try later')).model)).toMatchObject({
      error: { message: expect.stringContaining('Try later. It was tried twice.') },
    })
    const twice = scripted(cause)
    expect(await run(twice.model)).toMatchObject({
      ok: false,
      error: { code: 'model', cause, message: expect.stringContaining('overloaded. It was tried twice.') },
    })
    expect(twice.requests).toHaveLength(2)
  })

  it('gives up on a model that hangs, even if it ignores the signal, and does not try again', async () => {
    const signals: AbortSignal[] = []
    const model: HostModel = ({ signal }) => {
      signals.push(signal)
      return new Promise(() => {})
    }
    expect(await run(model, { timeoutMs: 5 })).toMatchObject({ ok: false, error: { code: 'timeout' } })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('stops when the host cancels, before or during the call', async () => {
    const controller = new AbortController()
    const during = run(() => new Promise(() => {}), { signal: controller.signal })
    controller.abort()
    expect(await during).toMatchObject({ ok: false, error: { code: 'timeout', message: expect.stringContaining('cancelled') } })
    const { model, requests } = scripted(good)
    expect(await run(model, { signal: controller.signal })).toMatchObject({ ok: false, error: { code: 'timeout' } })
    expect(requests).toHaveLength(0)
  })

  it('never sends more than its budget, retry included', async () => {
    const text = fc.constantFrom('x'.repeat(40_000), '漢'.repeat(9_000), '😀'.repeat(5_000), 'a\n'.repeat(9_000), 'short')
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 30 }),
        fc.array(text, { maxLength: 5 }),
        fc.integer({ min: 4_000, max: 24_000 }),
        fc.constantFrom('memory', 'skills', 'both'),
        async (said, stored, maxInputTokens, kind) => {
          const { model, requests } = scripted('漢'.repeat(5_000), good)
          const long = stampTranscript(
            said.map((one) => ({ role: 'user' as const, text: one })),
            new Set(),
          )
          const texts = { entries: { memory: stored, user: stored }, library: stored.join('\n'), waiting: stored }
          await run(model, { transcript: long, ...texts, maxInputTokens, kind }, said.join(' '))
          expect(requests).toHaveLength(2)
          for (const request of requests) expect(estimateTokens(promptOf(request))).toBeLessThanOrEqual(maxInputTokens)
        },
      ),
      { numRuns: rounds(40), seed: 7 },
    )
  })
})

describe('inputBudget', () => {
  it('is 24,000 tokens by default, and 4,000 at least', () => {
    expect([inputBudget(), inputBudget(9_000), inputBudget(4_000), inputBudget(100)]).toEqual([24_000, 9_000, 4_000, 4_000])
  })
})

describe('inputShares', () => {
  it('gives a fifth to each store and a tenth to what waits, for memory alone', () => {
    expect(inputShares(24_000, 'memory', 20)).toEqual({ store: 19_200, waiting: 9_600, skills: 0, earlier: 0 })
    expect(inputShares(undefined, 'memory', 20)).toEqual(inputShares(24_000, 'memory', 20))
  })

  it.each(['skills', 'both'] as const)('divides what the request itself and its retry leave, for %s', (kind) => {
    const parts = {
      kind,
      remembered: '',
      library: '',
      waiting: '',
      maxProposals: 20,
      dates: new RequestDates(0, 'America/Argentina/Buenos_Aires'),
      showsOutside: true,
    }
    const { system, user } = digestRequest('', parts)
    for (const tokens of [4_000, 9_000, 24_000]) {
      const free = (tokens - RETRY_TOKENS) * 4 - countUnits(system) - countUnits(user)
      expect(inputShares(tokens, kind, 20)).toEqual({
        store: Math.floor(free / 10),
        waiting: Math.floor(free / 12),
        skills: Math.floor(free * 0.4),
        earlier: Math.min(4_000, Math.floor(free / 8)),
      })
    }
  })
})
