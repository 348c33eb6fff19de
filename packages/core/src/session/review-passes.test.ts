/** The passes of one review: which there are, what each reads, and what the second one has left. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ALL_PASSES, turnToRead } from '../../test/support/due-review.ts'
import { type ReviewHomeOptions, reviewHome } from '../../test/support/review-home.ts'
import type { ReviewGate } from '../gate/review-gate.ts'
import type { HostModel } from '../model/host-model.ts'
import { estimateTokens } from '../model/token-estimate.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { ok } from '../shared/result.ts'
import { ReviewPasses } from './review-passes.ts'

const user = (text: string): TurnMessage => ({ role: 'user', text })
const assistant = (text: string): TurnMessage => ({ role: 'assistant', text })
const page = (text: string): TurnMessage => ({ role: 'tool', text, toolNames: ['fetch'] })

const OWN = turnToRead('one', user('I live in Oslo'), assistant('Nice.'))
const MIXED = turnToRead('one', user('What does staging run on?'), page('Staging runs on Fedora.'), assistant('On Fedora.'))

const WORDS = { words: true, everything: false, skills: false }
const MEMORY = { words: true, everything: true, skills: false }
const SKILLS = { words: false, everything: false, skills: true }

const add = (content: string) => ({ target: 'memory', op: { action: 'add', content }, rationale: 'said', score: 0.9, evidence: [] })

const open = (options: ReviewHomeOptions = {}) => {
  const home = reviewHome({ withSkills: true, ...options })
  const run = (model: HostModel = home.model) => new ReviewPasses(home.deps, model).run()
  /** What each request shows as the conversation. */
  const conversations = () => home.requests.map((_, at) => /<conversation>\n([\s\S]*?)\n<\/conversation>/.exec(home.textOf(at))?.[1])
  return { ...home, run, conversations }
}

const kindsOf = ({ requests, textOf }: ReturnType<typeof open>) =>
  requests.map((_, at) => {
    const [memory, skills] = [textOf(at).includes('Already remembered:'), textOf(at).includes('The skills there are.')]
    return memory && skills ? 'both' : memory ? 'memory' : 'skills'
  })

describe('a review of the own words alone', () => {

  it('has no earlier turns, and fails if its pass fails', async () => {
    const shown = [user('before'), assistant('ok'), ...OWN.messages]
    const { run, textOf } = open({ due: { scope: WORDS, conversation: [OWN], shown } })
    await run()
    expect(textOf()).not.toContain('said-before')
    expect(await run(async () => 'prose')).toMatchObject({ ok: false, error: { code: 'unparseable' } })
  })
})

describe('a review with nothing from outside', () => {
  it.each([
    ['memory', MEMORY],
    ['memory', { words: false, everything: true, skills: false }],
    ['both', ALL_PASSES],
    ['both', { words: true, everything: false, skills: true }],
    ['skills', { words: false, everything: false, skills: true }],
  ] as const)('has one pass, about %s', async (kind, scope) => {
    const home = open({ due: { scope, conversation: [OWN] } })
    expect(await home.run()).toMatchObject({ ok: true })
    expect(kindsOf(home)).toEqual([kind])
    expect(home.textOf()).toContain('I live in Oslo')
  })

  it('fails if its pass fails', async () => {
    const { run } = open({ due: { scope: MEMORY, conversation: [OWN] } })
    expect(await run(async () => 'prose')).toMatchObject({ ok: false, error: { code: 'unparseable' } })
  })
})

describe('a review with text from outside', () => {
  it('reads the own words first, and each pass is about what is due for it', async () => {
    const home = open({ due: { scope: { words: true, everything: false, skills: true }, conversation: [MIXED] } })
    await home.run()
    expect(kindsOf(home)).toEqual(['both', 'skills'])
    expect(home.conversations().map((text) => text?.includes('Fedora'))).toEqual([false, true])
  })

  it('shows each pass the turns that it has not read, and text from outside only where there was room', async () => {
    const conversation = [
      { ...turnToRead('one', user('first words'), page('first page')), readers: { words: false, everything: true, skills: false } },
      { ...turnToRead('one', user('second words'), page('second page')), outsideWaits: true },
      turnToRead('one', user('third words'), page('third page')),
      { ...turnToRead('one', user('fourth words'), page('fourth page')), readers: { words: false, everything: true, skills: true } },
    ]
    const home = open({ due: { scope: ALL_PASSES, conversation } })
    await home.run()
    const seen = home.conversations().map((text) => text?.match(/(?:first|second|third|fourth) (?:words|page)/g))
    expect(seen).toEqual([
      ['second words', 'third words', 'fourth words'],
      ['first words', 'first page', 'third words', 'third page', 'fourth words', 'fourth page'],
    ])
  })

  it('reads the pending proposals again only after the first pass has changed something', async () => {
    const reads = async (answer: ReviewHomeOptions['answer']) => {
      let lists = 0
      const home = reviewHome({ due: { scope: MEMORY, conversation: [MIXED] }, ...(answer ? { answer } : {}) })
      const list = async () => {
        lists++
        return ok([])
      }
      await new ReviewPasses({ ...home.deps, pending: { ...home.pending, list } }, home.model).run()
      return lists
    }
    expect(await reads(undefined)).toBe(1)
    let calls = 0
    expect(await reads(() => (++calls === 1 ? [add('Lives in Oslo')] : []))).toBe(2)
  })
})

describe('the second pass', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Milliseconds until the second pass is aborted, if the first one took `firstMs`. */
  const timed = async (firstMs: number) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let now = 50_000
    let calls = 0
    let isAborted = false
    let tell = () => {}
    const isAsked = new Promise<void>((resolve) => {
      tell = resolve
    })
    const { deps } = reviewHome({ due: { scope: MEMORY, conversation: [MIXED] } })
    const model: HostModel = ({ signal }) => {
      if (++calls === 1) {
        now += firstMs
        return Promise.resolve('{"proposals": []}')
      }
      tell()
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          isAborted = true
          reject(new Error('aborted'))
        })
      })
    }
    const settings = { ...deps.settings, timeoutMs: 30 }
    const running = new ReviewPasses({ ...deps, clock: () => now, settings }, model).run()
    await isAsked
    let left = 0
    for (; !isAborted; left++) await vi.advanceTimersByTimeAsync(1)
    expect(await running).toMatchObject({ ok: false, error: { code: 'timeout' } })
    return left
  }

  it.each([
    ['what the first has left', 10, 20],
    ['a moment if none is left', 40, 1],
    ['all of it if the clock was set back', -10, 30],
  ])('has of the time %s', async (_, firstMs, left) => {
    expect(await timed(firstMs)).toBe(left)
  })

  it('has the tokens that the first has left, and always enough for its request', async () => {
    const long = Array.from({ length: 300 }, (_, at) => `word${at}`).join(' ')
    const conversation = Array.from({ length: 10 }, (_, at) => turnToRead('one', user(`${at} ${long}`), page(`${at} ${long}`)))
    const tokensOf = async (maxInputTokens: number) => {
      const home = reviewHome({ due: { scope: MEMORY, conversation } })
      const settings = { ...home.deps.settings, maxInputTokens }
      await new ReviewPasses({ ...home.deps, settings }, home.model).run()
      return [0, 1].map((at) => estimateTokens(home.textOf(at)))
    }
    const [first = 0, second = 0] = await tokensOf(12_000)
    expect(first).toBeGreaterThan(4_000)
    expect(first + second).toBeLessThanOrEqual(12_000)
    const [, least = 0] = await tokensOf(4_000)
    expect(least).toBeGreaterThan(1_500)
    expect(least).toBeLessThanOrEqual(4_000)
  })
})

describe('what was said before', () => {
  const before = [user('Release the parser'), page('a page'), assistant('Done.'), user('And the lexer'), assistant('Done too.')]
  const newest = [user('Write the notes'), page('the log'), assistant('Written.')]
  const shown = [...before, ...newest]
  const conversation = [turnToRead('one', ...newest)]
  const digests = ({ requests, textOf }: ReturnType<typeof open>) =>
    requests.map((_, at) => /<said-before>\n([\s\S]*?)\n<\/said-before>/.exec(textOf(at))?.[1]?.split('\n'))

  it('is the own words alone if nothing from outside is due', async () => {
    const own = [user('Write the notes'), assistant('Written.')]
    const home = open({ due: { scope: SKILLS, conversation: [turnToRead('one', ...own)], shown: [...before, ...own] } })
    await home.run()
    expect(digests(home)).toEqual([['- user: Release the parser', '- user: And the lexer']])
  })

  it('can be cited by ids of its own, and only the user’s words of it are trusted', async () => {
    const seen: unknown[] = []
    const gate: ReviewGate = async (_, context) => {
      seen.push(context?.transcript.map(({ id, origin, text }) => `${id} ${origin} ${text}`))
      return ok({ verdict: 'reject', reason: 'no' })
    }
    const op = { action: 'create', name: 'notes', content: '---\nname: notes\ndescription: Notes\n---\n\nWrite.\n', category: null }
    const answer = () => [{ target: 'skill', op, rationale: 'said', score: 0.9, evidence: [] }]
    await open({ due: { scope: SKILLS, conversation, shown }, gate, answer }).run()
    expect(seen[1]).toEqual([
      'm1 user Write the notes',
      'm2 tool the log',
      'm3 tool Written.',
      'earlier-1 user Release the parser',
      'earlier-2 tool Done.',
      'earlier-3 user And the lexer',
      'earlier-4 tool Done too.',
    ])
  })
})

describe('a review that repeats the prompt of the host', () => {
  it('reads what the host shows, and counts it as tainted if text from outside was in sight before', async () => {
    const origins: unknown[] = []
    const gate: ReviewGate = async (_, context) => {
      origins.push(context?.transcript.map(({ origin, text }) => `${origin} ${text}`))
      return ok({ verdict: 'reject', reason: 'no' })
    }
    const shown = [user('I live in Oslo'), assistant('Nice.'), page('a page')]
    for (const tainted of [false, true]) {
      const home = reviewHome({
        due: { scope: MEMORY, conversation: [turnToRead('one', ...shown)], shown, tainted },
        gate,
        answer: () => [add('x')],
      })
      const settings = { ...home.deps.settings, mode: 'replay' } as const
      await new ReviewPasses({ ...home.deps, settings }, home.model).run()
      expect(home.requests.at(-1)?.mode).toBe('replay')
    }
    expect(origins[1]).toEqual(['user I live in Oslo', 'assistant Nice.', 'tool a page'])
    expect(origins.at(-1)).toEqual(['user I live in Oslo', 'tool Nice.', 'tool a page'])
  })
})
