/** The conformance suite notices each fault of a provider. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

interface SuiteReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly ancestorTitles: readonly string[]; readonly title: string; readonly status: string }[]
  }[]
}

const vitest = join(import.meta.dirname, '../node_modules/vitest/vitest.mjs')

it('fails for every broken provider', { timeout: 120_000 }, async () => {
  const config = join(import.meta.dirname, 'broken/vitest.config.ts')
  const folder = await mkdtemp(join(tmpdir(), 'hermes-suite-'))
  const report = join(folder, 'report.json')
  const options = ['--config', config, '--reporter=json', `--outputFile=${report}`, '--maxWorkers=1']
  // It exits with 1, since tests fail.
  await promisify(execFile)(process.execPath, [vitest, 'run', ...options]).catch(() => {})
  const { testResults }: SuiteReport = JSON.parse(await readFile(report, 'utf8'))
  await rm(folder, { recursive: true })
  const failed = new Map<string, string[]>()
  for (const { ancestorTitles, title, status } of testResults.flatMap(({ assertionResults }) => assertionResults)) {
    const name = ancestorTitles[0]?.replace('provider conformance: ', '') ?? ''
    failed.set(name, [...(failed.get(name) ?? []), ...(status === 'failed' ? [title] : [])])
  }
  const notice = (name: string) => failed.get(name)
  expect(notice('stores a turn again')).toContain('stores a turn once that is delivered again')
  expect(notice('forgets in a dry run')).toContain('erases a text and nothing else')
  expect(notice('only counts')).toContain('erases everything, and then works on')
  expect(notice('forgets the wrong session')).toContain('erases a session and nothing else')
  expect(notice('compares texts itself')).toContain('asks the target what counts as its text')
  expect(notice('answers a tool with a list')).toEqual(['answers every call of a tool with a JSON object, or rejects, and works on'])
  expect(notice('recalls an object')).toContain('finds nothing in an empty home')
  expect(notice('recalls nothing')).toContain('finds what was said in another session')
  expect(notice('is broken by an odd text')).toEqual(['a zero byte'])
  expect(notice('is broken by a call that is given up')).toEqual(['gives up a call whose signal has fired, and works on'])
  expect(notice('loses everything at the end')).toContain('can be opened again after a shutdown, also twice at once')
  const mixed = 'shows nothing of a project in another, or in none, in sessions of the same name'
  expect(notice('recalls from all projects')).toEqual([mixed])
  expect(notice('looks up in all projects')).toEqual([mixed])
  expect(notice('recalls from the own project alone')).toContain('finds in every project what was said without one')
  expect(notice('mixes owners')).toContain('finds nothing of another owner, in sessions and turns of the same name')
  expect(notice('cuts the names of owners')).toContain('tells owners with difficult names apart')
  expect(notice('has an odd name')).toEqual(['has a name, valid tools and a bounded text for the system prompt'])
  expect(failed.size).toBe(17)
})
