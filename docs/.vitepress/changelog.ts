/** What the next version brings, from the changesets, which the changelog gets when a version is made. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const entriesOf = (changeset: string): string => {
  const [, names = '', text = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(changeset) ?? []
  const packages = [...names.matchAll(/^['"]?([^'":]+)['"]?:/gm)].map(([, name]) => name)
  return `### ${packages.join(', ')}\n\n${text.trim()}\n`
}

/** The changelog with a section for the next version, if there are changesets. */
export const withNextVersion = (changelog: string): string => {
  const files = globSync('.changeset/!(README).md', { cwd: ROOT }).toSorted()
  if (files.length === 0) return changelog
  const entries = files.map((file) => entriesOf(readFileSync(join(ROOT, file), 'utf8')))
  const [head = '', ...older] = changelog.split(/^(?=## )/m)
  return [head.trimEnd(), '## Next', ...entries, ...older].join('\n\n')
}
