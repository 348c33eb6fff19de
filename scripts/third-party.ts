/** The licences of the packages whose code is bundled into a build; many licences require their text in every copy. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder of the package that a bundled file belongs to; `undefined` for our own files. */
const folderOf = (moduleId: string): string | undefined => {
  const [folder] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(moduleId) ?? []
  return folder
}

const licenceOf = (folder: string): { readonly name: string; readonly text: string } => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
  if (files.length === 0) throw new Error(`${name} ${version} is bundled, but there is no licence in '${folder}'.`)
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return { name, text: `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n` }
}

/**
 * The text of THIRD-PARTY.txt, packages sorted by name; `undefined` if all files are our own. `moduleIds`: the paths of the bundled files.
 * Throws if a package has no licence file.
 */
export const thirdPartyLicences = (moduleIds: readonly string[]): string | undefined => {
  const folders = new Set(moduleIds.flatMap((moduleId) => folderOf(moduleId) ?? []))
  if (folders.size === 0) return undefined
  const licences = [...folders].map(licenceOf).sort((a, b) => (a.name < b.name ? -1 : 1))
  const head = 'This package contains the packages below, each under its own licence.\n'
  return [head, ...licences.map(({ text }) => text)].join(`\n${'-'.repeat(80)}\n\n`)
}
