/**
 * The notice that nothing is on npm yet, on every page that installs a package: `node scripts/release/not-on-npm.ts --write` puts it there, and without `--write`,
 * as `pnpm version-packages` runs it, it takes it away. To be removed after the first release, with what `first-pages.test.ts` says of it.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NOT_ON_NPM =
  'Before the first release nothing is on npm: run `npx -y pnpm@12 pack:all` in a clone, and install the tarballs that it lists, such as `<clone>/packed/hermes-core-*.tgz`.'

/** With what separates it from the text behind it. */
const NOTICE = /Before the first release nothing is on npm: [^\n]*?\.tgz`\.(\n\n| )?/
/** A block of commands of which one installs a package. */
const INSTALLS = /^```(?:sh|console)\n(?:(?!```).*\n)*?(?:\$ )?(?:npm (?:install|create)|npx) .*@hermes\b(?:.*\n)*?```\n\n?/m
/** In the README of the repository. */
const HOW_TO = /^They are not on npm before the first release\.[\s\S]*?\n\n/m

/** The page with the notice behind its first block that installs a package; unchanged if there is none. */
export const withNotice = (page: string): string =>
  NOTICE.test(page)
    ? page.replace(NOTICE, (_, separator = '') => `${NOT_ON_NPM}${separator}`)
    : page.replace(INSTALLS, (block) => `${block.trimEnd()}\n\n${NOT_ON_NPM}\n\n`)

export const withoutNotice = (page: string): string => page.replace(NOTICE, '').replace(HOW_TO, '')

const ROOT = join(import.meta.dirname, '../..')

/** That a reader of a package or of the site installs from. */
export const installingPages = (): readonly string[] =>
  execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', 'README.md', 'docs/*.md', 'packages/*/README.md', 'packages/*/skills/*/SKILL.md'],
    {
      cwd: ROOT,
      encoding: 'utf8',
    },
  )
    .trim()
    .split('\n')
    .filter((page) => existsSync(join(ROOT, page)))

if (import.meta.main)
  for (const page of installingPages()) {
    const text = readFileSync(join(ROOT, page), 'utf8')
    const changed = process.argv.includes('--write') ? withNotice(text) : withoutNotice(text)
    if (changed !== text) writeFileSync(join(ROOT, page), changed)
  }
