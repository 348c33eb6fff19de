import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../../scripts/support/rounds.ts'
import type { ConsolidationReport } from '../report.ts'
import { type ClusterSubject, clusterSkills } from './clusters.ts'
import { toConsolidationNote } from './merge-report.ts'
import { addPointers, carryFiles, freeFolder, freeReference, keepFrontMatter, rewriteLinks } from './merged-text.ts'
import { fencedBlocks, parseConsolidationAnswer } from './read-answer.ts'

const read = (answer: string) => {
  const parsed = parseConsolidationAnswer(answer)
  if (!parsed.ok) throw parsed.error
  return parsed.value
}

const codeOf = (answer: string) => {
  const parsed = parseConsolidationAnswer(answer)
  return parsed.ok ? undefined : parsed.error.code
}

const yaml = (...lines: readonly string[]) => `Two of them are one.\n\n\`\`\`yaml\n${lines.join('\n')}\n\`\`\`\n`

describe('parseConsolidationAnswer', () => {
  it('reads the prose and the block of the seeds', () => {
    expect(
      read(
        yaml(
          'consolidations:',
          '  - from: a',
          '    into: u',
          '    reason: same job',
          'prunings:',
          '  - name: old',
          '    reason: superseded',
        ),
      ),
    ).toEqual({
      consolidations: [{ from: 'a', into: 'u', reason: 'same job' }],
      prunings: [{ name: 'old', reason: 'superseded' }],
      umbrellas: [],
      leftOut: [],
      prose: 'Two of them are one.',
    })
  })

  it('takes the last block that holds a plan, so that a quoted example hides none', () => {
    const example = '```yaml\nconsolidations:\n  - {from: example, into: other}\n```\n'
    const unrelated = '```yaml\nname: not a plan\n```\n'
    expect(read(`${example}${yaml('consolidations: [{from: a, into: u}]')}${unrelated}`).consolidations).toEqual([
      { from: 'a', into: 'u', reason: '' },
    ])
  })

  it('reads JSON from providers that answer in nothing else, and drops thinking', () => {
    expect(read('{"summary":"One.","consolidations":[{"from":"a","into":"u","reason":"r"}]}')).toMatchObject({
      prose: 'One.',
      consolidations: [{ from: 'a', into: 'u', reason: 'r' }],
    })
    expect(
      read(`<think>maybe\n\`\`\`yaml\nprunings: [{name: x}]\n\`\`\`\n</think>${yaml('prunings: [{name: a, reason: r}]')}`).prunings,
    ).toEqual([{ name: 'a', reason: 'r' }])
  })

  it('takes empty lists for an answer', () => {
    expect(read(yaml('consolidations:', 'prunings:'))).toMatchObject({ consolidations: [], prunings: [], leftOut: [] })
  })

  it.each([
    ['nothing', ' \n'],
    ['prose alone', 'I would merge a into b.'],
    ['a list', yaml('- from: a', '  into: b')],
    ['no YAML', yaml('consolidations: [', '  "')],
    ['a block that broke off', '```yaml\nconsolidations: [{from: a, into: u}]\numbrellas:\n  - name: u\n    content: |\n      half of'],
    ['an alias', yaml('consolidations: &x [{from: a, into: u}]', 'prunings: *x')],
    ['an unknown tag', yaml('consolidations: !!js/function "x"')],
    ['a key twice', yaml('consolidations: []', 'consolidations: [{from: a, into: u}]')],
    ['endless nesting', yaml(`consolidations: ${'['.repeat(50_000)}`)],
    ['nesting by dashes', yaml('consolidations:', `  ${'- '.repeat(50_000)}a`)],
    ['a giant', yaml(`consolidations: []\n# ${'x'.repeat(500_000)}`)],
  ])('reads nothing from %s', (_, answer) => {
    expect(codeOf(answer)).toBe('unparseable')
  })

  it('does not unfold a bomb of aliases', () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]']
    for (let at = 1; at < 12; at++)
      bomb.push(
        `${'abcdefghijkl'[at]}: &${'abcdefghijkl'[at]} [${Array(9)
          .fill(`*${'abcdefghijkl'[at - 1]}`)
          .join(',')}]`,
      )
    expect(codeOf(yaml(...bomb, 'consolidations: *l'))).toBe('unparseable')
  })

  it('gives a hostile key no power', () => {
    const answer = read(yaml('__proto__: {polluted: true}', 'consolidations: [{from: a, into: u, __proto__: {reason: x}}]'))
    expect(answer.consolidations).toEqual([{ from: 'a', into: 'u', reason: '' }])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})

describe('carryFiles', () => {
  it('keeps each support folder, and moves files outside of them into the assets', () => {
    expect(carryFiles(['references/a.md', 'scripts/deep/b.sh', 'LICENSE', 'lib/x.py'], 'foo')).toEqual([
      { from: 'references/a.md', to: 'references/foo/a.md' },
      { from: 'scripts/deep/b.sh', to: 'scripts/foo/deep/b.sh' },
      { from: 'LICENSE', to: 'assets/foo/LICENSE' },
      { from: 'lib/x.py', to: 'assets/foo/lib/x.py' },
    ])
  })
})

describe('names beside what is there', () => {
  it('take the next number, whatever the case of the letters', () => {
    expect(freeFolder('foo', [])).toBe('foo')
    expect(freeFolder('foo', ['references/Foo/a.md', 'scripts/foo-2/b.sh'])).toBe('foo-3')
    const taken = new Set(['references/foo.md', 'references/foo-2.md'])
    expect(freeReference('foo', (path) => taken.has(path))).toBe('references/foo-3.md')
  })
})

describe('rewriteLinks', () => {
  const moved = carryFiles(['references/api.md', 'references/api', 'scripts/run.sh'], 'foo')

  it('leads each path to where the file is now', () => {
    expect(rewriteLinks('See `references/api.md`, [run](./scripts/run.sh) or references/api.', moved)).toBe(
      'See `references/foo/api.md`, [run](scripts/foo/run.sh) or references/foo/api.',
    )
  })

  it('leaves longer paths, other folders and what is right already as they are', () => {
    for (const text of [
      'references/api.md5',
      'docs/references/api.md',
      '../scripts/run.sh',
      'references/foo/api.md',
      'scripts/run.sh.bak',
      'myscripts/run.sh',
    ]) {
      expect(rewriteLinks(text, moved)).toBe(text)
    }
  })

  it('does not guess which of two skills is meant', () => {
    expect(rewriteLinks('references/a.md', [...carryFiles(['references/a.md'], 'x'), ...carryFiles(['references/a.md'], 'y')])).toBe(
      'references/a.md',
    )
  })
})

const skill = (name: string, description: string, headings: readonly string[] = []): ClusterSubject => ({
  path: name,
  name,
  description,
  headings,
})

const clustered = (...subjects: readonly ClusterSubject[]) => clusterSkills(subjects).map(({ paths }) => [...paths].sort())

const UNRELATED = [
  skill('deploy-helm-charts', 'Roll out a release with helm'),
  skill('invoice-export', 'Export invoices as CSV for accounting'),
  skill('write-haiku', 'Poems of three lines'),
  skill('resize-images', 'Scale pictures for the web'),
  skill('sql-query-plans', 'Read the plan of a slow query'),
  skill('git-bisect', 'Find the commit that broke a test'),
  skill('release-notes', 'Write the notes of a release'),
  skill('tax-forms', 'Fill in forms for the tax office'),
]

describe('clusterSkills', () => {
  it('puts names that begin with the same two words together, whatever they say', () => {
    const clusters = clusterSkills([
      skill('pr-triage-labels', 'Put labels on them'),
      skill('pr-triage-stale', 'Close old ones'),
      skill('pr-triage-owners', 'Who looks at it'),
      ...UNRELATED,
    ])
    expect(clusters).toHaveLength(1)
    expect(clusters[0]?.label).toBe('pr-triage-*')
    expect([...(clusters[0]?.paths ?? [])].sort()).toEqual(['pr-triage-labels', 'pr-triage-owners', 'pr-triage-stale'])
  })

  it('puts skills of one meaning together whose names have nothing in common', () => {
    expect(
      clustered(
        skill('csv-quick-summary', 'Summarise the columns of a CSV file', ['Columns', 'Missing values']),
        skill('parse-table-stats', 'Statistics on the columns of a CSV file', ['Columns', 'Outliers']),
        ...UNRELATED,
      ),
    ).toEqual([['csv-quick-summary', 'parse-table-stats']])
  })

  it('keeps apart what merely shares the first word of a name', () => {
    expect(clustered(skill('git-lfs-quota', 'Free space on the storage server'), ...UNRELATED)).toEqual([])
  })

  it('puts each skill into one cluster at most, and no more than twelve into one', () => {
    const many = Array.from({ length: 30 }, (_, at) => skill(`api-error-${at}`, `What the API error ${at} means`))
    const clusters = clusterSkills(many)
    const all = clusters.flatMap(({ paths }) => paths)
    expect(new Set(all).size).toBe(all.length)
    expect(all).toHaveLength(30)
    for (const { paths } of clusters) expect(paths.length).toBeLessThanOrEqual(12)
  })

  it(`compares ${rounds(10_000)} skills without comparing each with each`, () => {
    const words = Array.from({ length: 4_000 }, (_, at) => `topic${at.toString(36)}x`)
    const library = Array.from({ length: rounds(10_000) }, (_, at) =>
      skill(`${words[at % 4_000]}-${words[(at * 7) % 4_000]}-${at}`, `${words[(at * 13) % 4_000]} with ${words[(at * 29) % 4_000]}`),
    )
    expect(clusterSkills(library).length).toBeGreaterThan(0)
  })
})

describe('fencedBlocks', () => {
  it('gives each block its words, its body and its place', () => {
    const text = 'a\n```yaml\nx: 1\n```\nb\n~~~\ny\n~~~\n'
    expect(fencedBlocks(text)).toEqual([
      { info: 'yaml', body: 'x: 1', start: 2, isClosed: true },
      { info: '', body: 'y', start: text.indexOf('~~~'), isClosed: true },
    ])
  })

  it('ends a block only at a fence that can end it', () => {
    expect(fencedBlocks('````md\n```sh\nls\n```\n````\n')).toMatchObject([{ info: 'md', body: '```sh\nls\n```' }])
    expect(fencedBlocks('```yaml\nc: |\n      ```sh\n      ls\n      ```\n```\n')).toHaveLength(1)
    expect(fencedBlocks('```a\n~~~\n```\n')).toMatchObject([{ body: '~~~', isClosed: true }])
  })

  it('knows a block that broke off, and code within a line', () => {
    expect(fencedBlocks('```yaml\nhalf')).toEqual([{ info: 'yaml', body: 'half', start: 0, isClosed: false }])
    expect(fencedBlocks('```inline``` text')).toEqual([])
    expect(fencedBlocks('')).toEqual([])
  })

  it('reads Windows line ends', () => {
    expect(fencedBlocks('```yaml\r\na: 1\r\n```\r\n')).toMatchObject([{ info: 'yaml', body: 'a: 1\r', isClosed: true }])
  })
})

const report = (more: Partial<ConsolidationReport>): ConsolidationReport => ({
  dryRun: false,
  consolidated: [],
  pruned: [],
  created: [],
  refused: [],
  held: [],
  words: [],
  problems: [],
  stopped: undefined,
  clusters: { asked: 2, unchanged: 1, left: 3 },
  ...{ calls: 2, inputTokens: 900, outputTokens: 80 },
  ...more,
})

const merged = {
  name: 'a',
  into: 'u',
  method: 'merge',
  reason: 'same job',
  files: ['SKILL.md'],
  archivedAs: '.archive/a',
} as const

describe('toConsolidationNote', () => {
  it('tells people what went where, what waits, what was refused and what it cost', () => {
    const { text, summary } = toConsolidationNote(
      report({
        consolidated: [merged, { ...merged, name: 'b' }],
        held: [{ names: ['c'], into: 'u', why: 'ask a person', pendingIds: ['p1'] }],
        refused: [{ kind: 'consolidation', names: ['d'], into: 'u', why: 'pinned' }],
        stopped: 'steps',
      }),
    )
    expect(text).toContain(
      '2 groups sent to the model, 1 unchanged since the last run, 3 left for the next run. 2 model calls, about 900 tokens in and 80 out.',
    )
    expect(text).toContain('- **a** → **u** (merge): same job (`.archive/a`)')
    expect(text).toContain('- **c** → **u**: ask a person (`p1`)')
    expect(text).toContain('- **d** → **u**: pinned')
    expect(text).toContain('the maximum number of calls was reached')
    expect(summary).toBe('llm: 2 merged, 1 waiting, 1 refused, ended early: the maximum number of calls was reached')
  })

  it('lets neither a name nor the words of the model pass for a part of the report', () => {
    const { text } = toConsolidationNote(
      report({ consolidated: [{ ...merged, name: 'a\n## Archived', reason: '[x](http://evil.test)' }], words: ['# Heading\n- item'] }),
    )
    expect(text).not.toMatch(/^## Archived/m)
    expect(text).not.toMatch(/^# Heading/m)
    expect(text).toContain('\\[x\\](http://evil.test)')
  })
})

const pointer = { paths: ['references/a.md'], about: 'About a' }

describe('addPointers', () => {
  it('makes a section at the end, and fills it from then on', () => {
    const once = addPointers('---\nname: u\n---\n\n# U\n', [pointer])
    expect(once).toBe('---\nname: u\n---\n\n# U\n\n## Kept from merged skills\n\n- `references/a.md`: About a\n')
    expect(addPointers(once, [{ paths: ['scripts/b.sh', 'assets/c'], about: 'came with b' }])).toBe(
      `${once}- \`scripts/b.sh\`, \`assets/c\`: came with b\n`,
    )
  })

  it('fills a section that others follow, and keeps line ends', () => {
    const text = '# U\r\n\r\n## Kept from merged skills\r\n\r\n- old\r\n\r\n## Last\r\n\r\nEnd.\r\n'
    expect(addPointers(text, [pointer])).toBe(
      '# U\r\n\r\n## Kept from merged skills\r\n\r\n- old\r\n- `references/a.md`: About a\r\n\r\n## Last\r\n\r\nEnd.\r\n',
    )
  })

  it('lets no description open a section of its own', () => {
    expect(addPointers('x\n', [{ paths: ['references/a.md'], about: '# Obey\n\n## Now' }])).toContain('- `references/a.md`: Obey ## Now\n')
  })

  it('changes nothing if there is nothing to point to', () => {
    expect(addPointers('x', [])).toBe('x')
  })
})

describe('keepFrontMatter', () => {
  const before = '---\nname: u\ndescription: Old # note\nlicense: MIT\n---\nOld body.\n'

  it('takes the description and the body, and keeps every other key as it was written', () => {
    expect(keepFrontMatter(before, '---\nname: other\ndescription: "New: one"\nlicense: none\nextra: 1\n---\nNew body.\n')).toBe(
      '---\nname: u\ndescription: "New: one" # note\nlicense: MIT\n---\nNew body.\n',
    )
  })

  it('leaves a text without front matter to those who refuse it', () => {
    expect(keepFrontMatter(before, 'Just a body.')).toBe('Just a body.')
  })
})
