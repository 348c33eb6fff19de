/** Packs every published package, as npm would get it. `pnpm pack:all` does it into `packed/`, from which an app can install before the first release. */
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PUBLISHED } from './published.ts'

const ROOT = join(import.meta.dirname, '../..')

/** Into a folder, in place of those that were packed there before. What is packed has to be built. */
export const packAll = (folder: string): void => {
  mkdirSync(folder, { recursive: true })
  for (const file of globSync('hermes-*.tgz', { cwd: folder })) rmSync(join(folder, file))
  const filters = PUBLISHED.flatMap((name) => ['--filter', `@hermes/${name}`])
  execFileSync('npx', ['-y', 'pnpm@12', ...filters, 'pack', '--pack-destination', folder], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    // npx is a script there.
    shell: process.platform === 'win32',
  })
}

if (import.meta.main) {
  const folder = join(ROOT, 'packed')
  packAll(folder)
  console.log(
    globSync('hermes-*.tgz', { cwd: folder })
      .map((file) => join(folder, file))
      .sort()
      .join('\n'),
  )
}
