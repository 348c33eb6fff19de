import { describe, expect, it } from 'vitest'
import { isLabel, type LabelKind, readSkillParts, readSources, sourceNamedBy } from './merge-sources.ts'
import { keyOf, tokensOfSentence } from './statement.ts'

const skill = (name: string, description: string, body: string): string => `---\nname: ${name}\ndescription: ${description}\n---\n${body}`

const LABELS = skill(
  'pr-labels',
  'Read the diff, then label new pull requests',
  '# Labels\n\n## Ready and broken builds\n\nNever merge a fork. Never merge a branch by hand. Merge a branch. Ask, then wait.\n\n## Never on main\n\nPush releases.\n\n## Forks\n\n## Branches\n\n## Releases\n\n## Pushing\n\n## Merging\n\n## Fetch, then check builds\n\n## Ask\n\n## Waiting\n\n## Who labels?',
)
const STALE = skill(
  'pr-stale',
  'Close stale pull requests',
  '# Stale ones\n\nNever close a draft.\n\n```\ngh close draft\n```\n\n| Close | Draft |\n\n## Drafts\n\n## Broken or ready builds\n\n## Runs',
)

const cache = new Map()
const sourcesOf = (...texts: readonly string[]) =>
  readSources(
    texts.map((text) => [text]),
    cache,
  )

describe('a label', () => {
  const rows: readonly (readonly [string, LabelKind, string, boolean])[] = [
    ['with the words of one skill', 'heading', 'Labels of pull requests', true],
    ['with the words of two skills', 'description', 'Label stale requests', false],
    ['with a clause of each skill', 'description', 'Label requests; close stale ones', true],
    ['with an alternative of each skill', 'description', 'Label or close stale requests', true],
    ['with words that only belong to labels', 'heading', 'Common steps: how to label, and when', true],
    ['with a word of no skill', 'description', 'Labels of kelp', false],
    ['that is a word of no skill', 'heading', 'Kelp', true],
    ['that is another word in a description', 'description', 'Kelp', false],
    ['that is two such words', 'heading', 'Kelp bots', false],
    ['with such a word in a heading', 'heading', 'Labels of kelp', false],
    ['with such a word in a name', 'name', 'pr kelp labels new', true],
    ['with such a word in a longer name', 'name', 'pr kelp labels new requests', false],
    ['with two such words in a name', 'name', 'pr kelp bots', false],
    ['with a number in a name', 'name', 'pr kelp2', false],
    ['that is an order', 'heading', 'Approve', false],
    ['with an order in a name', 'name', 'pr approve', false],
    ['that orders what its skill does', 'name', 'close kelp', true],
    ['that asks', 'heading', 'Close stale requests?', false],
    ['that negates', 'heading', 'Never close stale requests', false],
    ['that negates what its skill names', 'heading', 'Never label on main', false],
    ['that asks what its skill asks', 'heading', 'Labels?', false],
    ['with one clause of two skills', 'description', 'Labels; new stale requests', false],
    ['in another order than a sentence', 'heading', 'Wait and ask', true],
    ['with an order that its skill names in a name', 'name', 'run kelp', true],
    ['that drops a negation', 'heading', 'Close drafts', false],
    ['that drops the negation of its heading', 'heading', 'Releases pushing', false],
    ['of a rule that is said without a negation too', 'heading', 'Merging branches', true],
    ['of one word of a rule that negates', 'heading', 'Drafts', true],
    ['of words that no rule has together', 'heading', 'Stale drafts', true],
    ['of new ones', 'heading', 'New ones', true],
    ['in the order of a description', 'description', 'Read the diff, label requests', true],
    ['in another order than a description', 'description', 'Label requests, read the diff', false],
    ['in another order than a heading', 'heading', 'Check and fetch', false],
    ['in another order than the heading of one skill', 'heading', 'Broken and ready builds', true],
    ['in an order that one of two headings has', 'heading', 'Ready and builds', true],
  ]
  it.each(rows)('%s, as %s: %s', async (_, kind, text, isAllowed) => {
    const sources = await sourcesOf(LABELS, STALE)
    expect(isLabel(text, tokensOfSentence(text, cache), sources, kind)).toBe(isAllowed)
  })

  it('may have further words that count as known', async () => {
    const sources = await sourcesOf(LABELS, STALE)
    const tokens = tokensOfSentence('Labels of kelp', cache)
    expect(isLabel('Labels of kelp', tokens, sources, 'description', new Set(['kelp']))).toBe(true)
  })

  it.each([
    ['Labels', 0],
    ['Overview of the labels', 0],
    ['Stale', 1],
    ['Pull requests', undefined],
    ['Labels, stale', undefined],
    ['Labels of kelp', undefined],
    ['Overview', undefined],
    ['Kelp', undefined],
  ])('names the skill that a section is about: %s', async (heading, source) => {
    const key = keyOf(tokensOfSentence(heading, cache))
    expect(sourceNamedBy(key, await sourcesOf(LABELS, STALE))).toBe(source)
    expect(sourceNamedBy(key, await sourcesOf(STALE))).toBeUndefined()
  })
})

describe('a skill in parts', () => {
  it('has its fields with their lines, and its statements with their place in the file', () => {
    const text = '---\r\nname: kelp\r\ndescription: >\r\n  Close\r\n\r\n  pulls.   Read  red.\r\nx-y : 1\r\n---\r\n\r\n# Care\r\nWait.'
    const { name, description, fields, statements, about } = readSkillParts(text, cache)
    expect({ name, description }).toEqual({ name: 'kelp', description: 'Close\npulls.   Read  red.' })
    expect([...fields]).toEqual([
      ['name', 'name: kelp'],
      ['description', 'description: >\nClose\npulls.   Read  red.'],
      ['x-y', 'x-y : 1'],
    ])
    expect(statements.map(({ line, text: said }) => [line, said])).toEqual([
      [10, 'Care'],
      [11, 'Wait.'],
    ])
    expect(about.map(({ text: said }) => said)).toEqual(['Close pulls.', 'Read red.'])
  })

  it('is found by what it says with its own links, and with those of the merged text', async () => {
    const text = skill('kelp', 'Care', 'Read a.md. Wait.')
    const moved = skill('kelp', 'Care', 'Read b.md. Wait.')
    const shorter = skill('kelp', 'Care', 'Read c.md.')
    const { find, all } = await readSources([[text, text, moved, shorter]], cache)
    const placesOf = (sentence: string) => find(keyOf(tokensOfSentence(sentence, cache))).map(({ at }) => at)
    expect(all.map(({ statement, source, at }) => [statement.text, source, at])).toEqual([
      ['Care', 0, undefined],
      ['Read a.md.', 0, 0],
      ['Wait.', 0, 1],
    ])
    expect(['Read a.md.', 'Read b.md.', 'Read c.md.', 'Wait.', 'Care', ''].map(placesOf)).toEqual([[0], [0], [], [1], [undefined], []])
  })
})
