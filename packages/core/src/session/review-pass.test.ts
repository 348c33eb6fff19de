/** One pass of a review: what its request shows, what it may write, and what it leaves in the journal. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ALL_PASSES, turnToRead } from '../../test/support/due-review.ts'
import { type ReviewHomeOptions, reviewHome } from '../../test/support/review-home.ts'
import { skillText } from '../../test/support/skill-library.ts'
import type { ReviewGate } from '../gate/review-gate.ts'
import type { MemoryStoreOptions } from '../memory/memory-store-options.ts'
import type { HostModel } from '../model/host-model.ts'
import { estimateTokens } from '../model/token-estimate.ts'
import { stampTranscript } from '../proposal/stamp-transcript.ts'
import type { TranscriptMessage } from '../proposal/transcript.ts'
import type { TurnMessage } from '../proposal/turn-message.ts'
import { ownTranscript } from '../review/own-words-pass.ts'
import type { ReviewOutcome } from '../review/review-outcome.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { aimOf, type Pass } from './plan-passes.ts'
import { ReviewPasses } from './review-passes.ts'

const heard = (text: string, origin: TranscriptMessage['origin'] = 'user'): TranscriptMessage => ({
  id: 'm1',
  role: origin === 'tool' ? 'tool' : 'user',
  origin,
  text,
})

const PASS: Pass = {
  kind: 'memory',
  mode: 'digest',
  transcript: [heard('I live in Oslo')],
  earlier: [],
  aimTokens: 5_000,
  sight: 'own',
  hidesFailures: false,
}

const LIMITS = { isLast: true, maxInputTokens: 20_000, timeoutMs: 1_000 }

/** A home and the passes of one review in it. */
const open = (options: ReviewHomeOptions = {}) => {
  const home = reviewHome(options)
  const passes = new ReviewPasses(home.deps, home.model)
  const run = ({ done, ...pass }: Partial<Pass> & { readonly done?: ReviewOutcome } = {}) =>
    passes.runPass({ ...PASS, ...pass }, { ...LIMITS, done })
  return { ...home, run, forgetRead: () => passes.forgetRead() }
}

const add = (content: string, evidence: readonly object[] = []) => ({
  target: 'memory',
  op: { action: 'add', content },
  rationale: 'said',
  score: 0.9,
  evidence,
})

const outcomeOf = async (ran: Promise<Result<{ readonly outcome: ReviewOutcome }>>): Promise<ReviewOutcome> => {
  const result = await ran
  if (!result.ok) throw result.error
  return result.value.outcome
}

describe('the request of a pass', () => {
  it.each([
    ['memory', 700, 900, 700],
    ['skills', 700, 900, 900],
    ['both', 700, 900, 900],
    ['skills', 700, 600, 700],
  ] as const)('about %s has the larger of two limits of the answer if it is about skills: %i, %i', async (kind, words, skills, max) => {
    const settings = { mode: 'digest', maxInputTokens: 20_000, timeoutMs: 1_000, maxProposals: 20 } as const
    const deps = { settings: { ...settings, maxOutputTokens: words, maxSkillOutputTokens: skills } }
    const { run, requests } = open({ withSkills: true, deps })
    await run({ kind })
    expect(requests[0]?.maxOutputTokens).toBe(max)
  })

  it('shows the dates of the entries only if their store is nearly full', async () => {
    const entry = 'Staging runs on Debian'
    const limit = entry.length
    const seen = async (target: 'memory' | 'user', memory: Partial<MemoryStoreOptions>) => {
      const { run, store, textOf } = open({ memory })
      await store.apply(target, { action: 'add', content: entry }, { origin: 'user' })
      await run()
      return textOf()
    }
    const dated = `- [first seen 2026-01-05, last confirmed 2026-01-05, by the user] ${entry}`
    expect(await seen('memory', { userCharLimit: limit })).toContain(`- ${entry}`)
    expect(await seen('memory', { memoryCharLimit: limit })).toContain(dated)
    expect(await seen('user', { userCharLimit: limit })).toContain(dated)
  })
})

describe('the skills of a pass', () => {
  const patch = (name: string) => ({
    target: 'skill',
    op: { action: 'patch', name, oldText: 'Build it.', newText: 'Build and test it.' },
    rationale: 'said',
    score: 0.9,
    evidence: [],
  })

  it('are shown in full if the session loaded them or the conversation is about them, and may then be changed', async () => {
    const home = open({
      withSkills: true,
      due: { loadedSkills: ['bread'] },
      answer: () => [patch('bread'), patch('git-log'), patch('other')],
    })
    for (const name of ['bread', 'git-log', 'other']) await home.addSkill(name)
    const more = heard('something else '.repeat(500))
    const [earlier, transcript] = [
      [more, heard('Now git')],
      [heard('log'), more],
    ]
    const outcome = await outcomeOf(home.run({ kind: 'skills', earlier, transcript }))
    expect(home.textOf()).toContain('bread (loaded in this conversation')
    expect(outcome.applied.map(({ proposal }) => (proposal.op as { name: string }).name)).toEqual(['bread', 'git-log'])
    expect(outcome.rejected).toHaveLength(1)
  })
})

describe('what a pass writes', () => {
  it('is journaled with its review, its model and what the reviewer was shown', async () => {
    const { run, recordsOf } = open({ answer: () => [add('Lives in Oslo')] })
    await run({ sight: 'own' })
    await run({ sight: 'outside' })
    const about = { actor: 'review', review: 'review-1', sessionId: 'newest' }
    expect(await recordsOf()).toMatchObject([
      { ...about, pass: 'own-words', kind: 'applied' },
      { ...about, pass: 'everything' },
    ])
  })

  it('records the model that proposed it with a skill', async () => {
    const op = { action: 'create', name: 'release', content: skillText('release'), category: null }
    const { run, skills } = open({
      withSkills: true,
      answer: () => [{ target: 'skill', op, rationale: 'said', score: 0.9, evidence: [] }],
    })
    expect((await outcomeOf(run({ kind: 'skills' }))).applied).toHaveLength(1)
    expect(JSON.stringify(await skills.usage.get('release'))).toContain('model-1')
  })

  it.each([
    [false, 'failed', 0],
    [true, 'held', 1],
  ] as const)('waits for a person if it cannot be written and no later review reads the turns: %s', async (isLastTry, bucket, held) => {
    const storage = inMemoryBackend()
    const update: StorageBackend['update'] = async (paths, plan, options) =>
      paths.some((path) => path.startsWith('memories/'))
        ? err(new HermesError('no_space', 'The disk is full.'))
        : storage.update(paths, plan, options)
    const { run, pending } = open({ storage: { ...storage, update }, due: { isLastTry }, answer: () => [add('Lives in Oslo')] })
    const outcome = await outcomeOf(run())
    expect(outcome[bucket]).toHaveLength(1)
    expect(await pending.list().then((listed) => listed.ok && listed.value.length)).toBe(held)
  })
})

describe('the session of a proposal', () => {
  const user = (text: string): TurnMessage => ({ role: 'user', text })
  const page = (text: string): TurnMessage => ({ role: 'tool', text, toolNames: ['fetch'] })
  const file = (text: string): TurnMessage => ({ role: 'user', text, outside: true })
  const conversation = [
    turnToRead('one', user('I live in Oslo'), page('They wrote: I play the cello'), file('Call me Kim')),
    turnToRead('two', user('I play the cello'), page('The lab is in Namur')),
    turnToRead('three', page('The lab is in Namur')),
  ]

  it.each([
    ['the session in which the user said it', [{ quote: 'I play the cello' }], 'two'],
    ['for a quote in spaces as for the quote', [{ quote: '  I play the cello ' }], 'two'],
    ['the first one that holds a quote of none of the user', [{ quote: 'The lab is in Namur' }], 'two'],
    [
      'not taken from a file that the user showed, if the user said another quote',
      [{ quote: 'Call me Kim' }, { quote: 'the cello' }],
      'two',
    ],
    ['the newest without a quote', [], 'newest'],
    ['the newest for a blank quote', [{ quote: ' ' }], 'newest'],
    ['the newest for a quote that nobody said', [{ quote: 'I live in Rome' }], 'newest'],
  ])('is %s', async (_, evidence, sessionId) => {
    const { run, recordsOf } = open({ due: { conversation }, answer: () => [add('A fact', evidence)] })
    await run()
    expect(await recordsOf()).toMatchObject([{ sessionId }])
  })

  it('is the newest for a proposal without evidence', async () => {
    const { evidence: _, ...bare } = add('A fact')
    const { run, recordsOf } = open({ due: { conversation }, answer: () => [bare] })
    await run()
    expect(await recordsOf()).toMatchObject([{ sessionId: 'newest' }])
  })
})

/** The passes of one review: which there are, what each reads, and what the second one has left. */
describe('review passes', () => {
  const user = (text: string): TurnMessage => ({ role: 'user', text })
  const assistant = (text: string): TurnMessage => ({ role: 'assistant', text })
  const page = (text: string): TurnMessage => ({ role: 'tool', text, toolNames: ['fetch'] })
  const MIXED = turnToRead('one', user('What does staging run on?'), page('Staging runs on Fedora.'), assistant('On Fedora.'))
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

    it('is not shown to a review of memory, nor cited by it, nor behind the prompt that holds it', async () => {
      const cited: unknown[] = []
      const gate: ReviewGate = async (_, context) => {
        cited.push(context?.transcript.some(({ id }) => id.startsWith('earlier')))
        return ok({ verdict: 'reject', reason: 'no' })
      }
      const memory = open({ due: { scope: MEMORY, conversation, shown }, gate, answer: () => [add('x')] })
      await memory.run()
      expect(digests(memory)).toEqual([undefined, undefined])
      const replay = open({
        due: { scope: ALL_PASSES, conversation: [turnToRead('one', user('Write the notes'))], shown },
        gate,
        answer: () => [add('x')],
      })
      const settings = { ...replay.deps.settings, mode: 'replay' } as const
      await new ReviewPasses({ ...replay.deps, settings }, replay.model).run()
      expect(replay.requests.map(({ mode }) => mode)).toEqual(['digest', 'replay'])
      // The first pass reads no prompt of the host, which would show them.
      expect(digests(replay)).toEqual([['- user: Release the parser', '- user: And the lexer'], undefined])
      expect(cited).toEqual([false, false, true, false])
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
})

const said = [
  { role: 'user', text: 'How many?' },
  { role: 'tool', text: 'Three', toolNames: ['count'] },
  { role: 'assistant', text: 'Three.' },
] as const

const plain = stampTranscript([said[0], said[2]], new Set())
const trusted = stampTranscript(said, new Set(['count']))
const outside = stampTranscript(said, new Set())

describe('aimOf', () => {
  it('is short for own words, and has room for results of tools, whoever they belong to', () => {
    expect(aimOf({ kind: 'memory', sight: 'own', transcript: plain, isFirstOfTwo: false })).toBe(2_400)
    expect(aimOf({ kind: 'memory', sight: 'own', transcript: trusted, isFirstOfTwo: false })).toBe(9_000)
    expect(aimOf({ kind: 'memory', sight: 'outside', transcript: outside, isFirstOfTwo: false })).toBe(9_000)
  })

  it('is shorter for skills alone, and shortest for the first of two passes', () => {
    expect(aimOf({ kind: 'skills', sight: 'outside', transcript: outside, isFirstOfTwo: false })).toBe(5_000)
    expect(aimOf({ kind: 'both', sight: 'outside', transcript: outside, isFirstOfTwo: false })).toBe(9_000)
    expect(aimOf({ kind: 'skills', sight: 'own', transcript: plain, isFirstOfTwo: false })).toBe(5_000)
    expect(aimOf({ kind: 'both', sight: 'own', transcript: plain, isFirstOfTwo: true })).toBe(2_400)
  })

  it('leaves no room for text from outside that is left out', () => {
    expect(aimOf({ kind: 'both', sight: 'own', transcript: ownTranscript(outside), isFirstOfTwo: true })).toBe(2_400)
  })
})
