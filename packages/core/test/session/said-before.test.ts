/** A skill review gets a digest of the conversation before its turns, taken from the messages that the host passes. */
import { describe, expect, it } from 'vitest'
import type { HermesOptions } from '../../src/hermes-options.ts'
import { estimateTokens } from '../../src/model/token-estimate.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { openHome } from './open-home.ts'
import { proposal, skillText } from './skill-home.ts'
import { countingHost, countingModel, textOf } from './token-counts.ts'

const digestIn = (text: string): string | undefined => /<said-before>\n([\s\S]*?)\n<\/said-before>/.exec(text)?.[1]

const open = async (options: Partial<HermesOptions>, answerOf?: Parameters<typeof countingModel>[0]) => {
  const { hermes, events } = openHome(inMemoryBackend(), options)
  const session = hermes.session('one')
  session.offerTools()
  const reviewer = countingModel(answerOf)
  const host = await countingHost(hermes, session, reviewer.model)
  return { hermes, events, host, digests: () => reviewer.requests.map((request) => digestIn(textOf(request))), reviewer }
}

const SKILLS = { nudge: { memoryInterval: 0, skillInterval: 2 } }

describe('a review of skills', () => {
  it('is shown what was said before, the own words alone in the pass over these, and no results of tools', async () => {
    const { host, digests } = await open(SKILLS)
    await host.turn('Release the parser', ['OUTSIDE-1', 'OUTSIDE-2'], 'Released, says the page.')
    await host.turn('Now the lexer', ['OUTSIDE-3', 'OUTSIDE-4'], 'Done too.')
    expect(digests()).toEqual([
      undefined,
      undefined,
      '- user: Release the parser',
      '- user: Release the parser\n- assistant: Released, says the page.',
    ])
  })

  it('takes at most 1,000 tokens of it, the newest', async () => {
    const { host, digests } = await open({ nudge: { memoryInterval: 0, skillInterval: 30 } })
    for (let turn = 1; turn <= 45; turn++) {
      await host.turn(`Question ${turn} ${'long '.repeat(200)}`, turn > 14 ? ['page', 'page'] : [], `Answer ${turn} ${'long '.repeat(200)}`)
    }
    const shown = digests().flatMap((digest) => digest ?? [])
    expect(shown.length).toBeGreaterThan(0)
    for (const digest of shown) expect(estimateTokens(digest)).toBeLessThanOrEqual(1_000)
  })

  it('may lean on what the user said then', async () => {
    const said = 'Never send the newsletter before I have read the draft'
    const rule = `2. ${said}.`
    const { host, hermes, reviewer } = await open(SKILLS, (request) =>
      (digestIn(textOf(request)) ?? '').includes(said)
        ? JSON.stringify({
            proposals: [
              {
                ...proposal({ action: 'create', name: 'send-newsletter', content: skillText('send-newsletter', rule), category: null }),
                evidence: [{ messageId: null, quote: said }],
              },
            ],
          })
        : '{"proposals":[]}',
    )
    await host.turn(said, ['page', 'page'], 'Understood.')
    await host.turn('Write the next one', ['page', 'page'], 'Here is the draft.')
    expect(reviewer.requests.length).toBeGreaterThan(2)
    const skill = await hermes.skillStore().view('send-newsletter')
    expect(skill.ok && skill.value.content).toContain(rule)
  })
})

it('a review of memory is shown none: what came before was reviewed for memory', async () => {
  const { host, digests } = await open({ nudge: { memoryInterval: 1, skillInterval: 0 } })
  await host.turn('I live in Oslo', [], 'Nice.')
  await host.turn('I work in Bergen', [], 'Noted.')
  expect(digests()).toEqual([undefined, undefined])
})
