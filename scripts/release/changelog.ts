/** Puts the newest version of all packages into the CHANGELOG.md of the repository, from theirs; `pnpm version-packages` runs it after `changeset version`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PUBLISHED } from '../support/published.ts'
import { readManifest } from './manifests.ts'
import { sectionOf } from './problems.ts'

/** The entries of a package in its own CHANGELOG.md, one heading lower; `undefined` if only the version of another package of ours has changed. */
export const entriesOf = (changelog: string, version: string): string | undefined => {
  const parts = (sectionOf(changelog, version) ?? '').split(/^### /m).filter((part) => part.trim() !== '')
  const own = parts
    .map((part) => part.replace(/^- Updated dependencies.*\n(?: {2}- .*\n?)*/gm, '').trim())
    .filter((part) => part.includes('\n'))
  return own.length === 0 ? undefined : own.map((part) => `#### ${part}`).join('\n\n')
}

/** The changelog with the version above the older ones; unchanged if it has it. */
export const withVersion = (
  changelog: string,
  version: string,
  packages: readonly { readonly name: string; readonly entries: string }[],
): string => {
  if (sectionOf(changelog, version) !== undefined) return changelog
  const section = [`## ${version}`, ...packages.map(({ name, entries }) => `### ${name}\n\n${entries}`)].join('\n\n')
  const [head = '', ...older] = changelog.split(/^(?=## )/m)
  return `${head.trimEnd()}\n\n${section}\n${older.length > 0 ? `\n${older.join('')}` : ''}`
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  const path = join(root, 'CHANGELOG.md')
  const { version } = readManifest(join(root, 'packages/core'))
  const packages = PUBLISHED.flatMap((name) => {
    const file = join(root, 'packages', name, 'CHANGELOG.md')
    const entries = existsSync(file) ? entriesOf(readFileSync(file, 'utf8'), version) : undefined
    return entries === undefined ? [] : [{ name: `@hermes/${name}`, entries }]
  })
  writeFileSync(path, withVersion(readFileSync(path, 'utf8'), version, packages))
}
