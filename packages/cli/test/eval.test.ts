import { describe, expect, it } from 'vitest'
import { SCENARIOS } from '../src/commands/eval/scenario.ts'
import { type ChatRequest, openServer } from './openai-server.ts'
import { runHermes, runJson } from './run-hermes.ts'

const said = ({ messages }: ChatRequest): string => JSON.stringify(messages)

const isReview = (request: ChatRequest): boolean => said(request).includes('proposals')

const ADA = { target: 'user', op: { action: 'add', content: 'Name: Ada' }, rationale: 'Asked for.', score: 0.95, evidence: [] }

/** A model that only extracts a name. */
const adasModel = (request: ChatRequest): string => {
  if (!isReview(request)) return said(request).includes('Ada') ? 'Your name is Ada.' : 'You have not told me.'
  return JSON.stringify({ proposals: said(request).includes('my name is Ada') && !said(request).includes('Name: Ada') ? [ADA] : [] })
}

const args = (...words: readonly string[]) => ['eval', ...words, '--home', '/no/such/home']

describe('hermes eval', () => {
  it('plays a scenario with the model that is named, and tells what it learned, how sure that is and what it used', async () => {
    const { url, requests } = await openServer(adasModel)
    const { code, stdout, stderr } = await runHermes(args('--model', 'm', '--scenarios', 'ten-plain-turns', '--price', '1/2'), {
      env: { OPENAI_BASE_URL: url },
    })
    expect([code, stderr]).toEqual([0, ''])
    expect(requests.every(({ model }) => model === 'm')).toBe(true)
    expect(requests.filter(isReview).length).toBeGreaterThan(0)
    expect(stdout).toMatch(/^ {2}model +m at http/)
    expect(stdout).toMatch(/tokens +\d+ in, \d+ out, \d+ calls?, (?:about|less than) \$\d+\.\d\d\n/)
    expect(stdout).toMatch(/plain +1 +0 % \(0–66\) +– +100 % \(34–100\) +0 % \(0–79\)/)
    expect(stdout).toContain('ten-plain-turns: not known: works council + emden\n')
  })

  it('answers with one object for programs, for each run', async () => {
    const { url } = await openServer(adasModel)
    const { code, told } = await runJson(args('--scenarios', 'ten-plain-turns', '--runs', '2'), {
      env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'from-env' },
    })
    expect(code).toBe(0)
    expect(told).toMatchObject({
      ok: true,
      value: {
        model: `from-env at ${url}`,
        runs: 2,
        use: { calls: expect.any(Number), unmeasured: 0 },
        summary: [
          { name: 'plain', played: 2 },
          { name: 'all', known: { hits: 0, total: 4, share: 0, low: 0 }, stale: { share: null } },
        ],
        outcomes: [{ id: 'ten-plain-turns', lost: { hits: 2, total: 2 } }, { id: 'ten-plain-turns' }],
      },
    })
  })

  it('knows in the next session what was said before the person left', async () => {
    const { url } = await openServer(adasModel)
    const { told } = await runJson(args('--scenarios', 'my-name-is-ada'), { env: { OPENAI_BASE_URL: url, OPENAI_MODEL: 'm' } })
    expect(told.value).toMatchObject({ outcomes: [{ known: { hits: 1, total: 1 }, answered: { hits: 1, total: 1 }, notes: [] }] })
  })

  it('says what to set if there is no model', async () => {
    const { code, stdout, stderr } = await runHermes(args())
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr.replace(/\s+/g, ' ')).toMatch(/needs a model of your own\. .*ANTHROPIC_API_KEY, OPENAI_API_KEY, OLLAMA_HOST/)
    expect((await runHermes(args('--model', 'anthropic/claude-haiku-5-5'))).stderr).toContain('ANTHROPIC_API_KEY')
  })

  it('ends at once with what to check if the model answers nothing', async () => {
    const { url, requests } = await openServer(() => 401)
    const { code, stdout, stderr } = await runHermes(args('--model', 'm', '--scenarios', 'fact'), { env: { OPENAI_BASE_URL: url } })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^error: .*\bNo\.\s.*Check\s+OPENAI_BASE_URL/s)
    expect(requests.length).toBeLessThan(20)
  })

  it('names the scenarios if one is unknown', async () => {
    const { code, stderr } = await runHermes(args('--scenarios', 'short,nonsense'))
    expect(code).toBe(2)
    expect(stderr).toContain("no scenario 'nonsense'")
    expect(stderr).toContain('my-name-is-ada')
    expect((await runHermes(args('--runs', '0'))).stderr).toContain('--runs takes a whole number from 1')
  })

  it('stops with Ctrl-C', async () => {
    const { url } = await openServer(adasModel)
    const { code, stderr } = await runHermes(args('--model', 'm'), { env: { OPENAI_BASE_URL: url }, interrupt: true })
    expect(code).toBe(130)
    expect(stderr).toContain('Stopped by Ctrl-C after 0 scenarios.')
  })
})

it('has at least thirty scenarios, each under a name of its own', () => {
  expect(new Set(SCENARIOS.map(({ id }) => id)).size).toBe(SCENARIOS.length)
  expect(SCENARIOS.length).toBeGreaterThanOrEqual(30)
})
