/** Which files of the repository are pages of the site, at which address, and what their links lead to. */
import { posix } from 'node:path'

const PAGES: readonly (readonly [RegExp, string])[] = [
  [/^CHANGELOG\.md$/, 'changelog.md'],
  [/^docs\/decisions\/README\.md$/, 'decisions/index.md'],
  [/^docs\/reference\/@hermes\/(.+)$/, 'reference/$1'],
  [/^docs\/(.+)$/, '$1'],
  [/^(packages|examples)\/([^/]+)\/README\.md$/, '$1/$2.md'],
]

/** Markdown that is no page: what is for people who work on the repository, and copies. */
export const NO_PAGES: readonly string[] = [
  '!(CHANGELOG).md',
  '.*/**',
  'benchmarks/**',
  'scripts/**',
  'docs/node_modules/**',
  'packages/*/!(README).md',
  'packages/*/*/**',
  // Part of the command line.
  'packages/ui/**',
  'examples/*/*/**',
]

/** The page of a file, both as paths, or undefined if it has none: `docs/servers.md` → `servers.md`. */
export const pageOf = (file: string): string | undefined => {
  const rule = PAGES.find(([pattern]) => pattern.test(file))
  return rule === undefined || !file.endsWith('.md') ? undefined : file.replace(...rule)
}

/** The start page stands for the README of the repository. */
const HOME = 'README.md'

/**
 * The address of a link in the file of a page: within the site for files that are pages, as it is for other sites and headings of the same page, undefined for other files of the repository, which the site does not have.
 */
export const addressOf = (file: string, target: string): string | undefined => {
  if (/^(?:[a-z]+:|#)/i.test(target)) return target
  const [path = '', heading] = target.split('#')
  const linked = posix.join(posix.dirname(file), path)
  const page = linked === HOME ? 'index.md' : pageOf(linked)
  if (page === undefined) return undefined
  const address = `/${page.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`
  return heading === undefined ? address : `${address}#${heading}`
}

/** The anchor of a heading, as code hosts make it, so that links work in both places. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')
