/** Takes the notice that nothing is on npm yet from every page; `pnpm version-packages` runs it. To be removed after the first release, with what `first-pages.test.ts` says of it. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const NOT_ON_NPM =
  'Before the first release nothing is on npm: install from a clone, as the README of the repository says under *Packages*.'

const NOTICE = new RegExp(`${NOT_ON_NPM.replace(/[.*]/g, '\\$&').split(' ').join('\\s+')}(?:\\n\\n| )?`)
/** In the README of the repository. */
const HOW_TO = /^They are not on npm before the first release\.[\s\S]*?\n\n/m

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  for (const page of execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n')) {
    // A changeset that has just been applied.
    if (!existsSync(join(root, page))) continue
    const text = readFileSync(join(root, page), 'utf8')
    const without = text.replace(NOTICE, '').replace(HOW_TO, '')
    if (without !== text) writeFileSync(join(root, page), without)
  }
}
