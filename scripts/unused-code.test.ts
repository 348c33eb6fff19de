/** The settings of knip notice what nothing uses: a file, an export, a type and a dependency in a small workspace. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

const manifest = (name: string, more: object = {}) => JSON.stringify({ name, type: 'module', ...more })

const FILES: Readonly<Record<string, string>> = {
  'package.json': manifest('root'),
  'pnpm-workspace.yaml': 'packages:\n  - packages/*\n',
  'packages/one/package.json': manifest('one', {
    dependencies: { 'left-pad': '1.0.0' },
    exports: { '.': { import: { default: './dist/esm/index.js' } } },
  }),
  'packages/one/src/index.ts': "export { used } from './used.ts'\n",
  'packages/one/src/used.ts': 'export interface Unseen {\n  readonly a: number\n}\nexport const used = 1\nexport const unheard = 2\n',
  'packages/one/src/lost.ts': 'export const lost = 1\n',
}

it('reports an unused file, export, type and dependency, and nothing that is public', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-knip-'))
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  for (const path of ['knip.ts', 'scripts/package-entries.ts']) await cp(join(ROOT, path), join(folder, path))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const knip = join(ROOT, 'node_modules/knip/bin/knip.js')
  const printed = await new Promise<string>((resolve) => {
    execFile(process.execPath, [knip, '--no-progress', '--no-config-hints'], { cwd: folder }, (_error, stdout) => resolve(stdout))
  })
  await rm(folder, { recursive: true })
  for (const found of ['src/lost.ts', 'unheard', 'Unseen', 'left-pad']) expect(printed).toContain(found)
  expect(printed.split('\n').filter((line) => line.startsWith('used'))).toEqual([])
})
