/** Why a release must not go out: decided from what was found, without reading or writing anything. */
import { type Manifest, PLACEHOLDER } from './manifests.ts'

export interface ReleasePackage {
  readonly manifest: Manifest
  readonly changelog: string
  /** Files that `exports`, `bin`, `main` and `types` name and that are not in the tarball. */
  readonly missingFiles: readonly string[]
  /** Whether the registry has this version, and whether its content is that of the tarball. */
  readonly published: 'no' | 'same' | 'other'
}

export interface ReleaseFacts {
  /** As `git status --porcelain` lists them. */
  readonly changedFiles: readonly string[]
  /** Tags of the commit. */
  readonly tags: readonly string[]
  readonly changesets: readonly string[]
  /** The CHANGELOG.md of the repository. */
  readonly changelog: string
  /** Actions of the workflows that are not named by a hash. */
  readonly unpinned: readonly string[]
  readonly packages: readonly ReleasePackage[]
}

const REQUIRED = ['description', 'keywords', 'homepage', 'bugs', 'repository', 'license', 'author', 'engines', 'files']

/** The text below the heading of a version; `undefined` if the changelog has no such heading or nothing below it. */
export const sectionOf = (changelog: string, version: string): string | undefined => {
  const [, after] = `\n${changelog}`.split(`\n## ${version}\n`)
  const section = after?.split('\n## ')[0]?.trim()
  return section === '' ? undefined : section
}

const problemsOfPackage = ({ manifest, changelog, missingFiles, published }: ReleasePackage): readonly string[] => {
  const problems = REQUIRED.filter((field) => manifest[field] === undefined).map(
    (field) => `has no '${field}': run 'pnpm exec node scripts/release/manifests.ts --write'`,
  )
  if (manifest.repository !== undefined && manifest.repository.directory === undefined)
    problems.push(
      "names no 'directory' in its 'repository', so the links of its README would be dead: run 'pnpm exec node scripts/release/manifests.ts --write'",
    )
  if (JSON.stringify(manifest).includes(`/${PLACEHOLDER}/`))
    problems.push(
      `still names '${PLACEHOLDER}' as the owner of the repository: run 'pnpm exec node scripts/release/manifests.ts --owner <name>'`,
    )
  if (manifest.version === '0.0.0') problems.push("still has the version 0.0.0: run 'pnpm version-packages'")
  else if (!`\n${changelog}`.includes(`\n## ${manifest.version}\n`))
    problems.push(`has no '## ${manifest.version}' in its CHANGELOG.md: run 'pnpm version-packages'`)
  if (missingFiles.length > 0) problems.push(`is not built, its tarball lacks ${missingFiles.join(', ')}: run 'pnpm build'`)
  if (published === 'other')
    problems.push(
      `${manifest.version} is already published with other content: a version cannot be changed, so add a changeset and run 'pnpm version-packages'`,
    )
  return problems.map((problem) => `${manifest.name} ${problem}.`)
}

const problemsOfVersions = ({ packages, tags, changelog }: ReleaseFacts): readonly string[] => {
  const versions = [...new Set(packages.map(({ manifest }) => manifest.version))]
  const [version = ''] = versions
  if (versions.length !== 1) return [`The packages have different versions, ${versions.join(' and ')}: all go out with one.`]
  if (version === '0.0.0') return []
  const problems: string[] = []
  if (!tags.includes(`v${version}`))
    problems.push(`The commit has no tag v${version}${tags.length > 0 ? `, only ${tags.join(', ')}` : ''}: git tag v${version}.`)
  if (sectionOf(changelog, version) === undefined)
    problems.push(`CHANGELOG.md has no '## ${version}' with a text below it: run 'pnpm version-packages'.`)
  if (packages.every(({ published }) => published === 'same')) problems.push(`Every package is already published as ${version}.`)
  return problems
}

/** Sentences that say what is wrong and what to do; none if the release may go out. */
export const problemsOf = (facts: ReleaseFacts): readonly string[] => [
  ...(facts.changedFiles.length > 0
    ? [`Files differ from the commit, so nobody could say what was published: ${facts.changedFiles.join(', ')}.`]
    : []),
  ...(facts.changesets.length > 0 ? [`Changesets are left: ${facts.changesets.join(', ')}. Run 'pnpm version-packages'.`] : []),
  ...facts.unpinned.map(
    (action) => `${action} can be replaced by its author at any time: run 'pnpm exec node scripts/release/pin-actions.ts'.`,
  ),
  ...problemsOfVersions(facts),
  ...facts.packages.flatMap(problemsOfPackage),
]
