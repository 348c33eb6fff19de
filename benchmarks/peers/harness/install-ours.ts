/** Packs our packages and unpacks them into the `node_modules` of their peers' folders, where npm would place them for a user. */
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { adapterFolder, HOME } from './build.ts'

const run = promisify(execFile)
const REPOSITORY = join(HOME, '../..')

const OURS: Readonly<Record<string, readonly string[]>> = {
  ours: ['core', 'ai-sdk'],
  'ours-langchain': ['core', 'langchain'],
  'ours-store': ['core'],
}

/** Fails if a package asks for one that the folder does not install, since a user would have it. */
const checkDependencies = async (folder: string, unpacked: string): Promise<void> => {
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8'))
  const installed = await readdir(join(folder, 'node_modules'))
  const missing = Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !installed.includes(name.split('/')[0] ?? ''))
  if (missing.length > 0) throw new TypeError(`Add ${missing.join(', ')} to ${folder}/package.json: ${unpacked} depends on it.`)
}

export const installOurs = async (): Promise<void> => {
  const packed = join(HOME, '.packed')
  await rm(packed, { recursive: true, force: true })
  await mkdir(packed)
  const names = [...new Set(Object.values(OURS).flat())]
  const filters = names.flatMap((name) => ['--filter', `@hermes/${name}`])
  await run('npx', ['-y', 'pnpm@12', ...filters, 'pack', '--pack-destination', packed], { cwd: REPOSITORY })
  const tarballs = await readdir(packed)
  for (const [folder, packages] of Object.entries(OURS))
    for (const name of packages) {
      const target = join(adapterFolder(folder), 'node_modules/@hermes', name)
      const tarball = tarballs.find((file) => file.startsWith(`hermes-${name}-`))
      if (tarball === undefined) throw new TypeError(`@hermes/${name} was not packed.`)
      await rm(target, { recursive: true, force: true })
      await mkdir(target, { recursive: true })
      await run('tar', ['-xzf', join(packed, tarball), '-C', target, '--strip-components=1'])
      await checkDependencies(adapterFolder(folder), target)
    }
}
