import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../../scripts/support/rounds.ts'
import { type ClusterSubject, clusterSkills } from './clusters.ts'

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

  it('finds nothing among unrelated skills', () => {
    expect(clustered(...UNRELATED)).toEqual([])
    expect(clusterSkills([])).toEqual([])
    expect(clusterSkills([skill('one', 'alone')])).toEqual([])
  })

  it('puts each skill into one cluster at most, and no more than twelve into one', () => {
    const many = Array.from({ length: 30 }, (_, at) => skill(`api-error-${at}`, `What the API error ${at} means`))
    const clusters = clusterSkills(many)
    const all = clusters.flatMap(({ paths }) => paths)
    expect(new Set(all).size).toBe(all.length)
    expect(all).toHaveLength(30)
    for (const { paths } of clusters) expect(paths.length).toBeLessThanOrEqual(12)
  })

  it('answers the same whatever the order of the library', () => {
    const library = [
      skill('pr-triage-a', 'One'),
      skill('pr-triage-b', 'Two'),
      skill('csv-sum', 'Sum CSV columns'),
      skill('sum-csv', 'CSV columns, summed'),
      ...UNRELATED,
    ]
    expect(clusterSkills(library.toReversed())).toEqual(clusterSkills(library))
  })

  it(`compares ${rounds(10_000)} skills without comparing each with each`, () => {
    const words = Array.from({ length: 4_000 }, (_, at) => `topic${at.toString(36)}x`)
    const library = Array.from({ length: rounds(10_000) }, (_, at) =>
      skill(`${words[at % 4_000]}-${words[(at * 7) % 4_000]}-${at}`, `${words[(at * 13) % 4_000]} with ${words[(at * 29) % 4_000]}`),
    )
    expect(clusterSkills(library).length).toBeGreaterThan(0)
  })
})
