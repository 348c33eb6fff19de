/** Strips the types of the adapters and of the programs that run beside them, so that no peer's start holds the work of a compiler. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'

/** The folder of this tool. */
export const HOME = join(import.meta.dirname, '..')

export const adapterFolder = (name: string): string => join(HOME, 'adapters', name)

const build = async (from: string, to: string): Promise<void> => {
  await mkdir(to, { recursive: true })
  for (const file of (await readdir(from)).filter((name) => name.endsWith('.ts'))) {
    const code = stripTypeScriptTypes(await readFile(join(from, file), 'utf8')).replaceAll(/(from '\.[^']*)\.ts'/g, "$1.mjs'")
    await writeFile(join(to, file.replace(/ts$/, 'mjs')), code)
  }
}

export const buildAll = async (names: readonly string[]): Promise<void> => {
  for (const name of names) await build(adapterFolder(name), join(adapterFolder(name), 'dist'))
  await build(HOME, join(HOME, 'dist'))
  await build(join(HOME, 'harness'), join(HOME, 'dist/harness'))
}
