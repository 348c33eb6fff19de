import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FAMILIES } from '../../../benchmarks/skills/families.ts'
import { type ChatRequest, openServer, type ToolAnswer } from './openai-server.ts'
import { runHermes, runJson, spawnHermes, startHermes, temporaryHome } from './run-hermes.ts'

const TASKS = FAMILIES.flatMap(({ training, heldOut }) => [...training, ...heldOut])

const textOf = ({ messages }: ChatRequest): string => messages.map(({ content }) => String(content ?? '')).join('\n')

const isReview = ({ tools }: ChatRequest): boolean => tools === undefined

/** Knows the rule of a family only from a skill that it loads or from the person, over the protocol of a real provider. `writes`: what its reviews propose. */
const officeModel =
  (writes: (correction: string) => string = (correction) => correction) =>
  (request: ChatRequest): string | ToolAnswer => {
    const text = textOf(request)
    if (isReview(request)) {
      const family = FAMILIES.find(({ training }) => text.includes(training[0]?.correction ?? '-'))
      const content = `---\nname: ${family?.name}\ndescription: ${family?.name}, as it is done here.\n---\n\n${writes(family?.training[0]?.correction ?? '')}\n`
      const op = { action: 'create', name: family?.name, content }
      return JSON.stringify({ proposals: family ? [{ target: 'skill', op, score: 0.9, rationale: 'Corrected.' }] : [] })
    }
    const task = TASKS.find((each) => text.includes(each.task))
    const last = request.messages.at(-1)
    if (!task || (last?.role === 'tool' && String(last.content).includes('delivered'))) return 'Done.'
    const rule = FAMILIES.find(({ name }) => name === task.family)?.training[0]?.rule ?? '-'
    if (text.replace(/\\n|\s+/g, ' ').includes(rule)) return { toolName: 'deliver', input: { result: task.good } }
    const mayLoad =
      last?.role === 'user' && request.tools?.some((tool) => tool.function.name === 'skill_view') && text.includes(`${task.family}:`)
    return mayLoad ? { toolName: 'skill_view', input: { name: task.family } } : { toolName: 'deliver', input: { result: task.plain } }
  }

const args = (...words: readonly string[]) => ['eval', 'skills', ...words, '--home', '/no/such/home']

const envOf = (url: string) => ({ OPENAI_BASE_URL: url, OPENAI_MODEL: 'm', COLUMNS: '120' })

interface Told {
  readonly arms: readonly {
    readonly arm: string
    readonly hits: number
    readonly tasks: number
    readonly loaded: number
    readonly tokensPerTask: number
  }[]
  readonly differences: readonly { readonly arm: string; readonly over: string; readonly difference: number; readonly low: number | null }[]
  readonly outcomes: readonly { readonly family: string; readonly training: object }[]
  readonly use: { readonly calls: number; readonly inputTokens: number; readonly outputTokens: number }
  readonly estimate: { readonly inputTokens: number; readonly outputTokens: number }
  readonly stopped: string | null
  readonly total: number
}

describe('hermes eval skills', () => {
  it('plays every family on the scripted model without a key: in the build, with the interval and a report in Markdown', async () => {
    const file = join(temporaryHome(), 'skills.md')
    const { code, stdout, stderr } = await spawnHermes(args('--model', 'scripted', '--markdown', file), { env: { COLUMNS: '120' } })
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^14 families, 1 run: 42 held-out tasks .* about [\d,]+ tokens in/)])
    expect(stdout).toMatch(/training +14 corrections, 14 reviews, 14 skills, 0 waiting; [\d,]+ tokens a family\n/)
    expect(stdout).toMatch(/none +0 % +0 of 42 +–/)
    expect(stdout).toMatch(/learned +100 % +42 of 42 +100 %/)
    expect(stdout).toMatch(/curated +100 % +42 of 42 +100 %/)
    expect(stdout).toMatch(/learned – none +\+100 +\+100 to \+100\n/)
    expect(stdout).toContain('says nothing about skills')
    const report = readFileSync(file, 'utf8')
    expect(report).toMatch(/^# Do skills help\?\n/)
    expect(report).toContain('| learned – none | +100 | +100 to +100 |')
    expect(report).toContain('says nothing about skills')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('learns through a real model’s tool calls and reviews, and counts tokens for each arm', async () => {
    const { url, requests } = await openServer(officeModel(), { countsTokens: true })
    const families = 'cash-amount,sql-migration'
    const { code, told } = await runJson(args('--families', families, '--runs', '2', '--yes'), { env: envOf(url) })
    const value = told.value as Told
    expect(code).toBe(0)
    expect(value.outcomes.map(({ family }) => family)).toEqual([...families.split(','), ...families.split(',')])
    expect(value.outcomes[0]?.training).toMatchObject({ corrections: 1, reviews: 1, skills: 1, held: 0 })
    expect(value.arms).toMatchObject([
      { arm: 'none', hits: 0, tasks: 12, loaded: 0 },
      { arm: 'learned', hits: 12, tasks: 12, loaded: 1 },
      { arm: 'curated', hits: 12, tasks: 12, loaded: 1 },
    ])
    const [none, learned] = value.arms
    expect(learned?.tokensPerTask).toBeGreaterThan(none?.tokensPerTask ?? 0)
    expect(value.differences[0]).toMatchObject({ arm: 'learned', over: 'none', difference: 1, low: null })
    expect(value.use.calls).toBe(requests.length)
    const [used, estimated] = [value.use, value.estimate].map(({ inputTokens, outputTokens }) => inputTokens + outputTokens)
    expect(Math.abs((used ?? 0) / (estimated ?? 1) - 1)).toBeLessThan(0.3)
  })

  it('a skill that does not have the rule helps nobody: what it learned is worth what it is worth', async () => {
    const { url } = await openServer(officeModel(() => 'Be careful, and think of the customer.'))
    const { stdout } = await runHermes(args('--families', 'cash-amount', '--yes'), { env: envOf(url) })
    expect(stdout).toMatch(/none +0 % +0 of 3 .*\nlearned +0 % +0 of 3 +100 %.*\ncurated +100 % +3 of 3 +100 %/)
    expect(stdout).toContain('Not as expected:\n  cash-amount, learned: ends with 14.61, not 14.55\n')
  })

  it('a model whose reviews cannot be read learned nothing: leaving such families out would flatter what was learned', async () => {
    const { url } = await openServer((request) => (isReview(request) ? 'All went well, I think.' : officeModel()(request)))
    const { code, stdout } = await runHermes(args('--families', 'cash-amount', '--yes'), { env: envOf(url) })
    expect(code).toBe(0)
    expect(stdout).toMatch(/2 corrections, 0 reviews, 0 skills[\s\S]*learned +0 % +0 of 3[\s\S]*cash-amount, training: a review failed: /)
  })

  it('no held-out task is in sight of a review', async () => {
    const { url, requests } = await openServer(officeModel())
    await runJson(args('--families', 'price-quote,shop-german', '--yes'), { env: envOf(url) })
    const reviews = requests.filter(isReview).map(textOf)
    expect(reviews.length).toBeGreaterThan(0)
    const heldOut = TASKS.filter(({ part }) => part === 'held-out')
    expect(heldOut.filter(({ task }) => reviews.some((text) => text.includes(task)))).toEqual([])
  })

  it('asks before tokens are spent, and says how many', async () => {
    const { url, requests } = await openServer(officeModel())
    const { code, stderr } = await runHermes(args('--families', 'cash-amount', '--price', '3000/15000'), { env: envOf(url) })
    expect(code).toBe(1)
    expect(stderr).toMatch(/about [\d,]+ tokens in and [\d,]+ out, \d+ calls, about \$[\d.,]+ at 3000\/15000 per million\./)
    expect(stderr).toContain('Use --yes to confirm.')
    expect(requests).toEqual([])
  })

  it('keeps to --max-tokens: starts no family beyond it, and calls no model once they are used', async () => {
    const { url, requests } = await openServer(officeModel(), { countsTokens: true })
    const few = await runHermes(args('--families', 'cash-amount', '--yes', '--max-tokens', '1000'), { env: envOf(url) })
    expect(few.code).toBe(1)
    expect(few.stderr).toContain('Stopped after 0 of 1 family, since more would exceed --max-tokens.')
    expect(requests).toEqual([])
    const wordy = await openServer((request) => `${'well '.repeat(50_000)}${isReview(request) ? '{"proposals":[]}' : ''}`, {
      countsTokens: true,
    })
    const many = await runJson(args('--families', 'cash-amount,price-quote', '--yes', '--max-tokens', '60000'), { env: envOf(wordy.url) })
    expect(many.told).toMatchObject({ ok: false, error: { code: 'over_limit' } })
    expect(wordy.requests.length).toBeLessThanOrEqual(3)
    const unasked = await runJson(args('--families', 'cash-amount', '--yes'), { env: envOf(wordy.url) })
    expect(unasked.told).toMatchObject({ ok: false, error: { code: 'over_limit' } })
  })

  it('keeps what was finished when it is stopped by Ctrl-C, and says so', async () => {
    let stop = () => {}
    const { url } = await openServer((request) => {
      if (textOf(request).includes('Herring roll')) stop()
      return officeModel()(request)
    })
    const file = join(temporaryHome(), 'report.md')
    const running = startHermes(
      args('--families', 'cash-amount,shop-german,price-quote,allergen-label', '--runs', '2', '--yes', '--markdown', file),
      {
        env: envOf(url),
      },
    )
    stop = () => void running.stop()
    const { code, stdout, stderr } = await running.ended
    expect(code).toBe(130)
    expect(stderr).toMatch(/Stopped by Ctrl-C after [2-4] of 8 families\. What was finished counts/)
    expect(stdout).toMatch(/played +\d famil(?:y|ies), 2 runs; [2-4] of 8 finished/)
    expect(readFileSync(file, 'utf8')).toContain('of 8 finished')
  })

  it('leaves a family out whose model failed, and ends at once if it never answers', async () => {
    const some = await openServer((request) =>
      textOf(request).includes('× 8.00') || textOf(request).includes('Quote 12') ? 500 : officeModel()(request),
    )
    const { code, stdout, stderr } = await runHermes(args('--families', 'cash-amount,price-quote', '--yes'), { env: envOf(some.url) })
    expect(code).toBe(0)
    expect(stderr.replace(/\s+/g, ' ')).toContain('1 family was left out because the model failed: price-quote:')
    expect(stdout).toContain('1 of 2 finished')
    const none = await openServer(() => 401)
    const file = join(temporaryHome(), 'report.md')
    const failed = await runHermes(args('--yes', '--markdown', file), { env: envOf(none.url) })
    expect([failed.code, failed.stdout]).toEqual([1, ''])
    expect(failed.stderr.replace(/\s+/g, ' ')).toMatch(/No\. .*Check OPENAI_BASE_URL/)
    expect(none.requests.length).toBeLessThan(5)
    expect(() => statSync(file)).toThrow('ENOENT')
  })

  it('says that a model without tool calls learned nothing, since no review was due', async () => {
    const { url } = await openServer((request) => (isReview(request) ? '{"proposals":[]}' : 'The amount is 3.'))
    const { stdout, stderr } = await runHermes(args('--families', 'cash-amount', '--yes'), { env: envOf(url) })
    expect(stdout).toContain('2 corrections, 0 reviews, 0 skills')
    expect(stderr.replace(/\s+/g, ' ')).toContain('No review was due, so nothing was learned: the model called no tool')
  })

  it.each([
    [['--families', 'cash-amount,nonsense'], 2, /no family 'nonsense'.*release-notes/],
    [['--scenarios', 'short'], 2, /--scenarios is for 'hermes eval'/],
    [['--max-tokens', '0'], 2, /--max-tokens takes a whole number/],
    [['--model', 'anthropic/claude-haiku-5-5'], 1, /ANTHROPIC_API_KEY.*'--model scripted' shows how it works/],
    [
      ['--model', 'scripted', '--families', 'cash-amount', '--markdown', '/no/such/folder/a.md'],
      1,
      /'\/no\/such\/folder\/a\.md' cannot be written/,
    ],
  ])('says what is wrong with %j', async (words, exitCode, message) => {
    const { code, stderr } = await runHermes(args(...words))
    expect(code).toBe(exitCode)
    expect(stderr.replace(/\s+/g, ' ')).toMatch(message)
  })

  it('overwrites no file, and the other evaluation takes none of its options', async () => {
    const file = join(temporaryHome(), 'report.md')
    writeFileSync(file, 'mine')
    const { code, stderr } = await runHermes(args('--model', 'scripted', '--families', 'cash-amount', '--markdown', file))
    expect([code, readFileSync(file, 'utf8')]).toEqual([1, 'mine'])
    expect(stderr).toContain('exists already')
    expect((await runHermes(['eval', '--yes'])).stderr).toContain("--yes is for 'hermes eval skills'.")
  })
})
