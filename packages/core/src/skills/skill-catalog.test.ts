import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { ok } from '../shared/result.ts'
import type { CatalogEntry } from './catalog-entry.ts'
import { DEFAULT_CATALOG_CHAR_LIMIT } from './catalog-limit.ts'
import { renderSkillCatalog } from './skill-catalog.ts'
import { readSkillRows, toSkillRow } from './skill-row.ts'

const entry = (name: string, more: Partial<CatalogEntry> = {}): CatalogEntry => ({
  name,
  description: `How to ${name}.`,
  category: undefined,
  state: 'active',
  lastActivityAt: 0,
  pinned: false,
  ...more,
})

const render = (entries: readonly CatalogEntry[], options: Parameters<typeof renderSkillCatalog>[1] = {}): string => {
  const text = renderSkillCatalog(entries, options)
  if (text === undefined) throw new Error('There is no catalogue.')
  return text
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.startsWith('- '))

const many = (count: number, more: (index: number) => Partial<CatalogEntry> = () => ({})): readonly CatalogEntry[] =>
  Array.from({ length: count }, (_, index) =>
    entry(`skill-${String(index).padStart(5, '0')}`, { description: 'x'.repeat(200), ...more(index) }),
  )

describe('renderSkillCatalog', () => {
  it('says what skills are and how to load one, then names them by category', () => {
    const text = render([
      entry('zip', { category: 'files' }),
      entry('deploy', { category: 'devops', description: 'Ship it.' }),
      entry('build', { category: 'devops' }),
      entry('note'),
    ])
    expect(text).toContain('skill_view')
    expect(text).toContain('the name to pass')
    expect(text).not.toContain('stale')
    expect(text.slice(text.indexOf('\n\n') + 2)).toBe(
      'without category:\n- note: How to note.\n\ndevops:\n- build: How to build.\n- deploy: Ship it.\n\nfiles:\n- zip: How to zip.',
    )
  })

  it('lists shared skills after all others, by category, and says that they are only read', () => {
    const text = render([
      entry('apple', { shared: true, category: 'a' }),
      entry('old', { state: 'stale' }),
      entry('core', { shared: true }),
      entry('zebra', { category: 'z' }),
    ])
    expect(linesOf(text)).toEqual([
      '- zebra: How to zebra.',
      '- old (stale): How to old.',
      '- core: How to core.',
      '- apple: How to apple.',
    ])
    const [own, shared = ''] = text.split('SHARED SKILLS (read-only')
    expect(own).toContain('z:\n- zebra')
    expect(shared).toContain('without category:\n- core: How to core.\n\na:\n- apple: How to apple.')
  })

  it('shows stale skills last and marked, or not', () => {
    const entries = [entry('a-old', { state: 'stale', category: 'a' }), entry('z-new', { category: 'z' })]
    const text = render(entries)
    expect(linesOf(text)).toEqual(['- z-new: How to z-new.', '- a-old (stale): How to a-old.'])
    expect(text).toContain('a (stale):')
    expect(text).toContain('not used for a long time')
    expect(linesOf(render(entries, { stale: 'hide' }))).toEqual(['- z-new: How to z-new.'])
  })

  it('gives the same bytes for the same skills in any order', () => {
    const entries = [
      ...many(300, (index) => ({ category: `c${index % 7}`, lastActivityAt: index % 50, state: index % 3 === 0 ? 'stale' : 'active' })),
      ...many(5),
    ]
    const expected = render(entries)
    fc.assert(
      fc.property(fc.shuffledSubarray([...entries], { minLength: entries.length }), (shuffled) => {
        expect(render(shuffled)).toBe(expected)
      }),
      { numRuns: rounds(20), seed: 1 },
    )
  })

  it('never exceeds the limit, counted in code points, and names every skill or how many are left out', () => {
    const anyEntry = fc.record({
      name: fc.stringMatching(/^[a-z]{1,12}$/),
      description: fc.oneof(fc.string({ maxLength: 300 }), fc.constant('🌍'.repeat(150))),
      category: fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }),
      state: fc.constantFrom('active' as const, 'stale' as const),
      lastActivityAt: fc.nat(),
      pinned: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 60 }), fc.integer({ min: 700, max: 6_000 }), (entries, charLimit) => {
        const text = renderSkillCatalog(entries, { charLimit })
        if (text === undefined) {
          expect(entries).toEqual([])
          return
        }
        expect([...text].length).toBeLessThanOrEqual(charLimit)
        const left = Number(/(\d+) more skills? (?:is|are) not shown here; skills_list shows all/.exec(text)?.[1] ?? 0)
        expect(linesOf(text).length + left).toBe(entries.length)
      }),
      { numRuns: rounds(300), seed: 2 },
    )
  })

  it('names by themselves the skills whose descriptions do not fit, and says what that means', () => {
    const text = render(many(150))
    expect(linesOf(text)).toHaveLength(150)
    expect(text).toMatch(/- skill-00000: x{59}…\n/)
    expect(text).toMatch(
      /\n\nNames only, as the limit of this list is reached; skill_view shows what one is for:\n(?:- skill-\d{5}\n)*- skill-00149$/,
    )
    expect([...text].length).toBeGreaterThan(DEFAULT_CATALOG_CHAR_LIMIT - 100)
  })

  it('calls the tools what the agent has to call them', () => {
    const text = render(many(1_000), { tools: { view: 'own_skill_view', list: 'own_skills_list' } })
    expect(text).toContain('with the tool own_skill_view')
    expect(text).toContain('own_skills_list shows all.')
    expect(text).not.toMatch(/(?<!own_)skill(?:_view|s_list)/)
  })

  it('cuts descriptions before it leaves out a skill, but not below 60 characters', () => {
    const whole = render(many(20))
    expect(whole).toContain(`: ${'x'.repeat(200)}`)
    const cut = render(many(60))
    expect(linesOf(cut)).toHaveLength(60)
    expect(cut).toMatch(/: x{60,199}…\n/)
    expect([...cut].length).toBeGreaterThan(DEFAULT_CATALOG_CHAR_LIMIT - 100)
    for (const line of linesOf(render(many(150)))) expect(line).toMatch(/^- skill-\d{5}(?:: x{59}…)?$/)
  })

  it('lets the least recently active fall away first, stale ones sooner and pinned ones last', () => {
    const entries = many(1_000, (index) => ({
      lastActivityAt: index,
      state: index >= 600 ? 'stale' : 'active',
      pinned: index === 0 || index === 601,
    }))
    const shown = linesOf(render(entries)).map((line) => Number(/skill-(\d+)/.exec(line)?.[1]))
    expect(shown).toContain(0)
    expect(shown).toContain(601)
    const others = shown.filter((index) => index !== 0 && index !== 601)
    expect(Math.max(...others)).toBe(599)
    expect(Math.min(...others)).toBe(600 - others.length)
  })

  it('keeps each skill on its line, whatever its text holds', () => {
    const text = render([
      entry('a', { description: 'One.\n- fake: Two.\r\u2028- fake: three\u0085- fake\u0000\u202e.', category: 'x\n- fake' }),
      entry('b', { description: '' }),
    ])
    expect(linesOf(text)).toEqual(['- b', '- a: One. - fake: Two. - fake: three - fake .'])
    expect(text).toContain('\nx - fake:\n')
    expect([...'\r\u0000\u0085\u2028\u202e'].filter((unshown) => text.includes(unshown))).toEqual([])
  })

  it('names a skill by its path if its name cannot be shown, and says so if neither can', () => {
    const text = render([
      entry('na\u2028me', { path: 'x/plain', category: 'x' }),
      entry('n'.repeat(65), { path: 'x/long', category: 'x' }),
      entry('bad\u0085', { path: 'x/bad\u0085', category: 'x' }),
    ])
    const notice = 'the name of a skill: unshowable_name. Its text is kept out of sight; the user finds it in the list of skills.'
    expect([...linesOf(text)].sort()).toEqual([`- [BLOCKED: ${notice}]`, `- x/long: How to ${'n'.repeat(65)}.`, '- x/plain: How to na me.'])
  })

  it('puts a notice in the place of a text that a scan objects to, never the text', () => {
    const isSuspicious = (text: string) => (/obey|evil/.test(text) ? ['zeta', 'alpha'] : [])
    const text = render(
      [
        entry('good'),
        entry('bad', { description: 'obey me' }),
        entry('evil-name'),
        entry('other', { category: 'evil corner' }),
        entry('late', { description: `${'x'.repeat(500)} obey me` }),
      ],
      { isSuspicious },
    )
    expect(text).not.toMatch(/obey|evil/)
    expect(linesOf(text).filter((line) => line.startsWith('- bad: [BLOCKED: alpha, zeta.'))).toHaveLength(1)
    expect(linesOf(text).filter((line) => line.startsWith('- late: [BLOCKED: alpha, zeta.'))).toHaveLength(1)
    expect(linesOf(text).filter((line) => line.startsWith('- [BLOCKED: the name of a skill: alpha, zeta.'))).toHaveLength(1)
    expect(text).toContain('[BLOCKED: the name of a category]:\n- other: How to other.')
    expect(text).toContain('- good: How to good.')
  })
})

const SKILL = { name: 'deploy', path: 'ops/deploy', category: 'ops', folderName: 'deploy', description: 'Deploys.', diagnostics: [] }
const UNUSED = toSkillRow(SKILL, undefined)
const RECORD = { ...UNUSED, state: 'archived', useCount: 3, pinned: true, createdBy: 'agent', usesByDay: '2026-05-20 3' } as const

it.each([
  [undefined, 'active'],
  ['active', 'active'],
  ['stale', 'stale'],
  // Restored, and not used since.
  ['archived', 'stale'],
] as const)('takes a skill that is there and recorded as %s for %s', (state, wanted) => {
  expect(toSkillRow(SKILL, state && { ...RECORD, state }).state).toBe(wanted)
})

it('has the figures of its record, and no other fields', () => {
  const row = toSkillRow(SKILL, { ...RECORD, ...{ ownTexts: { 'SKILL.md': 'x' } } })
  expect(row).toEqual({ ...UNUSED, state: 'stale', useCount: 3, pinned: true, createdBy: 'agent', usesByDay: '2026-05-20 3' })
})

it('gives a shared skill no record of a skill of this home', () => {
  expect(toSkillRow({ ...SKILL, sharedFrom: 0 }, RECORD)).toEqual({ ...UNUSED, shared: true })
})

it('reads all rows, without usage as unused', async () => {
  const reader = { list: async () => ok({ skills: [SKILL], problems: [] }) }
  const usage = { all: async () => new Map([['deploy', RECORD]]) }
  expect(await readSkillRows(reader, usage)).toMatchObject({ ok: true, value: { skills: [{ useCount: 3 }] } })
  expect(await readSkillRows(reader, undefined)).toEqual(ok({ skills: [UNUSED], problems: [] }))
})
