/** The frozen text: what it shows, and what it leaves out if there is no room or something cannot be read. */
import { describe, expect, it } from 'vitest'
import type { MemoryStore } from '../memory/memory-store.ts'
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok } from '../shared/result.ts'
import type { SkillListEntry } from '../skills/skill-index.ts'
import type { SkillReader } from '../skills/skill-reader.ts'
import type { UsageRecord } from '../usage/usage-record.ts'
import type { UsageStore } from '../usage/usage-store.ts'
import { freezeBlock, renderSystemBlock } from './freeze-block.ts'
import type { SessionHome } from './session-home.ts'

const io = () => new HermesError('io', 'The disk is broken.')

describe('the text for the system prompt', () => {
  const part = (text: string) => ({ text, shorten: (maxChars: number) => text.slice(0, maxChars) })
  const store = (snapshot: string | undefined, maxBlockChars = 100) => ({
    maxBlockChars,
    renderSnapshot: (target: string, maxChars = maxBlockChars) =>
      target === 'memory' ? snapshot?.slice(0, maxChars) : snapshot && 'profile'.slice(0, maxChars),
  })

  it('has both blocks of memory and what follows them, a blank line apart', async () => {
    expect(await renderSystemBlock(store('notes'), part('skills'), 'provider')).toBe('notes\n\nprofile\n\nskills\n\nprovider')
    expect(await renderSystemBlock(store('notes'), part(''), 'provider')).toBe('notes\n\nprofile\n\nprovider')
    expect(await renderSystemBlock(store(undefined), part(''), '')).toBe('')
  })

  it('shortens the largest parts first, within the limit of the whole text', async () => {
    const text = await renderSystemBlock(store('n'.repeat(500)), part('s'.repeat(500)), 'provider')
    expect(text).toHaveLength(100)
    expect(text).toMatch(/^n{39}\n\nprofile\n\ns{40}\n\nprovider$/)
  })

  it('says that the text of a memory provider is left out if it has no room', async () => {
    const text = await renderSystemBlock(store('notes', 100), part('skills'), 'p'.repeat(2_000))
    expect(text).toBe('notes\n\nprofile\n\nskills\n\n[memory provider left out: no room]')
  })

  it.each([
    ['what is left, in full if it fits', 'notes', 'provider', 54, 80, 54],
    ['what is left, shortened if it does not fit', 'notes', 'provider', 55, 80, 54],
    ['everything if there is nothing else', undefined, '', 80, 80, 80],
    ['nothing if not even a note of it fits', 'notes', 'provider', 55, 60, 0],
  ])('gives the catalogue of a shorter text %s', async (_, notes, provider, chars, maxChars, shown) => {
    const asked: number[] = []
    const catalog = {
      text: 's'.repeat(chars),
      shorten: (most: number) => {
        asked.push(most)
        return 's'.repeat(Math.min(chars, most))
      },
    }
    const text = await renderSystemBlock(store(notes, 1_000), catalog, provider, maxChars)
    const parts = [...(notes ? ['notes', 'profile'] : []), ...(shown > 0 ? ['s'.repeat(shown)] : []), ...(provider ? [provider] : [])]
    expect(text).toBe(parts.join('\n\n'))
    // Its note needs room, too.
    expect(asked).toEqual(chars === 55 ? [Math.max(40, maxChars - 26)] : [])
  })

  it.each([1, 5, 30])('has at most %i characters if that is the limit', async (limit) => {
    const text = await renderSystemBlock(store('n'.repeat(500), limit), part('s'.repeat(500)), 'p'.repeat(2_000))
    expect(text.length).toBeLessThanOrEqual(limit)
  })
})

describe('freezing the text', () => {
  const skill = (name: string, more: Partial<SkillListEntry> = {}): SkillListEntry =>
    ({ name, description: `How to ${name}`, category: undefined, path: `skills/${name}`, ...more }) as SkillListEntry

  interface Options {
    readonly skills?: readonly SkillListEntry[]
    readonly problems?: readonly HermesError[]
    readonly records?: Readonly<Record<string, Partial<UsageRecord>>>
    readonly list?: SkillReader['list']
    readonly toolNames?: Readonly<Record<string, string>>
    readonly memory?: Partial<Pick<MemoryStore, 'load' | 'loadProblems'>>
    readonly hasSkills?: boolean
    readonly stale?: 'mark' | 'hide'
    readonly charLimit?: number
    readonly maxBlockChars?: number
  }

  const freeze = async ({ skills = [], problems = [], records = {}, hasSkills = true, ...rest }: Options = {}) => {
    const failures: string[] = []
    const known = new Map(Object.entries(records) as (readonly [string, UsageRecord])[])
    const memory = {
      load: async () => ok(undefined),
      loadProblems: () => [],
      maxBlockChars: rest.maxBlockChars ?? 50_000,
      renderSnapshot: (target: string) => (target === 'memory' ? 'notes' : undefined),
      ...rest.memory,
    } as unknown as MemoryStore
    const home = {
      skills: hasSkills
        ? {
            reader: { list: rest.list ?? (async () => ok({ skills, problems })) } as SkillReader,
            catalog: { charLimit: rest.charLimit ?? 4_000, stale: rest.stale ?? 'mark' },
            createUsageStore: () => ({ all: async () => known }) as unknown as UsageStore,
          }
        : undefined,
      provider: { promptBlock: () => 'provider' },
    } as unknown as SessionHome
    const frozen = await freezeBlock(home, {
      memory,
      toolName: (tool) => (rest.toolNames ?? { skill_view: 'h_skill_view', skills_list: 'h_skills_list' })[tool],
      skillsLimitMs: 5,
      onFailure: (operation, error) => failures.push(`${operation}: ${error.code} ${error.message}`),
    })
    return { ...frozen, failures }
  }

  it('puts the catalogue of skills between memory and the provider, and names the tool as the host does', async () => {
    const { text, complete, failures } = await freeze({ skills: [skill('deploy')] })
    expect(text).toMatch(/^notes\n\n[\s\S]*deploy: How to deploy[\s\S]*\n\nprovider$/)
    expect(text).toContain('h_skill_view')
    expect([complete, failures]).toEqual([true, []])
  })

  it.each([
    ['if the host does not offer the tool that reads them', { toolNames: {} }],
    ['if there are none', { skills: [] }],
    ['if they are switched off', { hasSkills: false }],
  ])('has no catalogue %s', async (_, options) => {
    const { text, complete, failures } = await freeze({ skills: [skill('deploy')], ...options })
    expect([text, complete, failures]).toEqual(['notes\n\nprovider', true, []])
  })

  it('marks or hides skills that have not been used for long, and a shared one never, whatever a record of its name says', async () => {
    const records = { old: { state: 'stale' }, shared: { state: 'stale', pinned: true } } as const
    const skills = [skill('old'), skill('shared', { sharedFrom: 0 })]
    const { text } = await freeze({ skills, records, stale: 'hide' })
    expect(text).not.toContain('How to old')
    expect(text).toContain('How to shared')
  })

  it('goes on without skills that cannot be listed, or not in time', async () => {
    const broken = await freeze({ list: async () => err(io()) })
    expect(broken).toEqual({
      text: 'notes\n\nprovider',
      complete: false,
      isStorable: false,
      failures: ['load skills: io The disk is broken.'],
    })
    const slow = await freeze({ list: () => new Promise<never>(() => {}) })
    expect(slow).toEqual({
      text: 'notes\n\nprovider',
      complete: false,
      isStorable: false,
      failures: [expect.stringMatching(/^load skills: timeout .* 5 ms/)],
    })
  })
})
