/** A release goes out only if nothing is wrong with it, and says everything that is, before anything is uploaded. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entriesOf, withVersion } from './release/changelog.ts'
import { differingManifests, PLACEHOLDER, readManifest } from './release/manifests.ts'
import { pinActions, unpinnedIn } from './release/pin-actions.ts'
import { problemsOf, type ReleaseFacts, type ReleasePackage } from './release/problems.ts'
import { PUBLISHED } from './support/published.ts'

const ROOT = join(import.meta.dirname, '..')
const run = promisify(execFile)
let scratch = ''

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'hermes-release-test-'))
})

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

describe('the package.json of every package', () => {
  it('says what that of the repository says; if not, run `pnpm exec node scripts/release/manifests.ts --write`', () => {
    expect(differingManifests(ROOT).map(({ path }) => path)).toEqual([])
  })
})

describe('the changesets', () => {
  const changesets = readdirSync(join(ROOT, '.changeset')).filter((file) => file.endsWith('.md') && file !== 'README.md')

  it('name published packages only, or a release would leave them behind', () => {
    const named = changesets.flatMap((file) => {
      const [, head = ''] = /^---\n([\s\S]*?)\n---/.exec(readFileSync(join(ROOT, '.changeset', file), 'utf8')) ?? []
      return [...head.matchAll(/^["']@hermes\/(.+)["']: \w+$/gm)].map(([, name = '']) => ({ file, name }))
    })
    expect(changesets.filter((file) => !named.some((each) => each.file === file))).toEqual([])
    expect(named.filter(({ name }) => !PUBLISHED.includes(name))).toEqual([])
  })
})

/** As if the repository were somebody's. */
const ownedBy = (owner: string) => {
  const manifest = { ...readManifest(join(ROOT, 'packages/sqlite')), version: '0.1.0' }
  return JSON.parse(JSON.stringify(manifest).replace(/(github\.com\/)[^/"]+/g, `$1${owner}`))
}

const owned = ownedBy('somebody')

const some = (changes: Partial<ReleasePackage> = {}): ReleasePackage => ({
  manifest: owned,
  changelog: '# @hermes/sqlite\n\n## 0.1.0\n\n- First.\n',
  missingFiles: [],
  published: 'no',
  ...changes,
})

const fine: ReleaseFacts = {
  changedFiles: [],
  tags: ['v0.1.0'],
  changesets: [],
  changelog: '# Changelog\n\n## 0.1.0\n\nThe first.\n',
  unpinned: [],
  packages: [some()],
}

const lacking = (field: string): ReleasePackage => some({ manifest: { ...owned, [field]: undefined } })

const WRONG: readonly [what: string, facts: Partial<ReleaseFacts>, says: string][] = [
  [
    'files that differ from the commit',
    { changedFiles: ['README.md'] },
    'Files differ from the commit, so nobody could say what was published: README.md.',
  ],
  ['changesets that are left', { changesets: ['core.md'] }, "Changesets are left: core.md. Run 'pnpm version-packages'."],
  [
    'an action without its hash',
    { unpinned: ['.github/workflows/ci.yml: actions/checkout@v5'] },
    'actions/checkout@v5 can be replaced by its author',
  ],
  ['a commit without a tag', { tags: [] }, 'The commit has no tag v0.1.0'],
  ['another tag', { tags: ['v0.2.0'] }, 'The commit has no tag v0.1.0, only v0.2.0'],
  ['a tag without a changelog', { changelog: '# Changelog\n' }, "CHANGELOG.md has no '## 0.1.0'"],
  ['an empty changelog', { changelog: '# Changelog\n\n## 0.1.0\n\n## 0.0.9\n\nOld.\n' }, "CHANGELOG.md has no '## 0.1.0'"],
  ['a package without a changelog', { packages: [some({ changelog: '' })] }, "@hermes/sqlite has no '## 0.1.0' in its CHANGELOG.md"],
  [
    'a version that is there with other content',
    { packages: [some({ published: 'other' })] },
    '0.1.0 is already published with other content',
  ],
  ['nothing new', { packages: [some({ published: 'same' })] }, 'Every package is already published as 0.1.0.'],
  ['a package that is not built', { packages: [some({ missingFiles: ['dist/esm/index.js'] })] }, 'its tarball lacks dist/esm/index.js'],
  ['the placeholder of the owner', { packages: [some({ manifest: ownedBy(PLACEHOLDER) })] }, `still names '${PLACEHOLDER}' as the owner`],
  ['a version that was not raised', { packages: [some({ manifest: { ...owned, version: '0.0.0' } })] }, 'still has the version 0.0.0'],
  [
    'packages of two versions',
    { packages: [some(), some({ manifest: { ...owned, name: '@hermes/core', version: '0.2.0' }, changelog: '\n## 0.2.0\n' })] },
    'The packages have different versions, 0.1.0 and 0.2.0',
  ],
  [
    'a repository without the folder of the package',
    { packages: [some({ manifest: { ...owned, repository: { type: 'git', url: owned.repository.url } } })] },
    "names no 'directory' in its 'repository'",
  ],
  ...['description', 'keywords', 'homepage', 'bugs', 'repository', 'license', 'author', 'engines', 'files'].map(
    (field): [string, Partial<ReleaseFacts>, string] => [
      `a missing ${field}`,
      { packages: [lacking(field)] },
      `@hermes/sqlite has no '${field}'`,
    ],
  ),
]

describe('a release', () => {
  it('goes out if nothing is wrong, also for what an upload that broke off left out', () => {
    expect(problemsOf(fine)).toEqual([])
    expect(problemsOf({ ...fine, packages: [some(), some({ published: 'same' })] })).toEqual([])
  })

  it.each(WRONG)('with %s is refused, for that reason alone', (_, facts, says) => {
    const problems = problemsOf({ ...fine, ...facts })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(says)
  })
})

describe('the changelog of the repository', () => {
  const CORE =
    '# @hermes/core\n\n## 0.2.0\n\n### Minor Changes\n\n- abc1234: New:\n\n  - a list\n\n## 0.1.0\n\n### Minor Changes\n\n- First.\n'
  const OTEL = '# @hermes/otel\n\n## 0.2.0\n\n### Patch Changes\n\n- Updated dependencies\n  - @hermes/core@0.2.0\n'

  it('has what each package has, without those that only follow another', () => {
    expect(entriesOf(CORE, '0.2.0')).toBe('#### Minor Changes\n\n- abc1234: New:\n\n  - a list')
    expect(entriesOf(OTEL, '0.2.0')).toBeUndefined()
    const first = withVersion('# Changelog\n\nWhat is new.\n', '0.1.0', [{ name: '@hermes/core', entries: '- First.' }])
    expect(first).toBe('# Changelog\n\nWhat is new.\n\n## 0.1.0\n\n### @hermes/core\n\n- First.\n')
    const second = withVersion(first, '0.2.0', [{ name: '@hermes/core', entries: '- New.' }])
    expect(second.indexOf('## 0.2.0')).toBeLessThan(second.indexOf('## 0.1.0'))
    expect(withVersion(second, '0.2.0', [])).toBe(second)
  })
})

it('what a maintainer sets up once names every package, and what is done', async () => {
  const { stdout } = await run(process.execPath, [join(ROOT, 'scripts/release/set-up.ts')])
  for (const name of PUBLISHED)
    expect(stdout).toMatch(new RegExp(`trust github @hermes/${name} --repo \\S+ --file release\\.yml --env npm`))
  const isOwned = !readManifest(ROOT).repository.url.includes(`/${PLACEHOLDER}/`)
  expect(stdout).toContain(`1.   ${isOwned ? '[done]' : '[to do]'} Name the owner`)
  expect(stdout).toContain(`2.   ${unpinnedIn(ROOT).length === 0 ? '[done]' : '[to do]'} Pin the actions`)
})

describe('the actions of the workflows', () => {
  it('are replaced by the commits of their tags, also of signed ones, or nothing is', async () => {
    const repository = join(scratch, 'remotes/acme/build')
    mkdirSync(repository, { recursive: true })
    const git = async (...args: readonly string[]): Promise<string> =>
      (await run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: repository })).stdout.trim()
    await git('init', '-q')
    await git('commit', '-q', '--allow-empty', '-m', 'first')
    await git('tag', '-a', 'v1', '-m', 'annotated')
    const commit = await git('rev-parse', 'HEAD')
    const root = join(scratch, 'workflows')
    const file = join(root, '.github/workflows/ci.yml')
    mkdirSync(join(file, '..'), { recursive: true })
    const workflow = (...uses: readonly string[]): string =>
      `steps:\n${uses.map((each) => `      - uses: ${each}\n`).join('')}      - run: true\n`
    writeFileSync(file, workflow('acme/build@v1', 'acme/build/deep@v1', './own'))
    expect(unpinnedIn(root)).toEqual(['.github/workflows/ci.yml: acme/build@v1', '.github/workflows/ci.yml: acme/build/deep@v1'])
    pinActions(root, join(scratch, 'remotes'))
    const pinned = workflow(`acme/build@${commit} # v1`, `acme/build/deep@${commit} # v1`, './own')
    expect(readFileSync(file, 'utf8')).toBe(pinned)
    expect(unpinnedIn(root)).toEqual([])
    writeFileSync(file, workflow('acme/build@v1', 'acme/build@v9'))
    expect(() => pinActions(root, join(scratch, 'remotes'))).toThrow("has neither a tag nor a branch 'v9'")
    expect(readFileSync(file, 'utf8')).toBe(workflow('acme/build@v1', 'acme/build@v9'))
  })

  it('have the least permissions: none for a whole workflow but reading', () => {
    for (const file of readdirSync(join(ROOT, '.github/workflows')))
      expect(readFileSync(join(ROOT, '.github/workflows', file), 'utf8'), file).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)\n\n/m)
  })

  it('run no test in a job that may publish or write', () => {
    const jobs = readdirSync(join(ROOT, '.github/workflows')).flatMap((file) => {
      const [, ...jobsOfFile] = readFileSync(join(ROOT, '.github/workflows', file), 'utf8').split(/^ {2}(?=[\w-]+:\n {4})/m)
      return jobsOfFile.map((text) => ({ name: `${file} ${/^[\w-]+/.exec(text)?.[0]}`, text }))
    })
    const mayWrite = jobs.filter(({ text }) => /^ {6}[\w-]+: write$/m.test(text))
    expect(mayWrite.map(({ name }) => name)).toEqual(['release.yml publish', 'release.yml announce', 'version.yml pull-request'])
    for (const { name, text } of mayWrite) expect(text, name).not.toMatch(/\.ci\/run|pnpm(?:@\d+)? (?:run )?(?:test|check)/)
  })
})
