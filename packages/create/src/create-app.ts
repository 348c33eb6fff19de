/** Writes the files of a template into a new or an empty folder. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TEMPLATES, type TemplateName } from './templates.ts'

const TEMPLATES_FOLDER = fileURLToPath(new URL('../templates', import.meta.url))

/** Stands in the templates for the name of the app. */
const NAME = 'hermes-app'
/** Stands in the templates for the version of our own packages. */
const VERSION = 'workspace:^'
/** npm renames a .gitignore in a package, so it is stored without its dot. */
const GITIGNORE = 'gitignore'

export type Created = { readonly ok: true; readonly files: readonly string[] } | { readonly ok: false; readonly problem: string }

const failed = (problem: string): Created => ({ ok: false, problem })

/** By path in the app. */
const readTemplate = async (template: TemplateName, name: string, version: string): Promise<ReadonlyMap<string, string>> => {
  const files = new Map<string, string>()
  for (const folder of TEMPLATES[template].folders) {
    const entries = await readdir(join(TEMPLATES_FOLDER, folder), { recursive: true, withFileTypes: true })
    for (const entry of entries.filter((each) => each.isFile())) {
      const path = join(entry.parentPath, entry.name)
      const text = await readFile(path, 'utf8')
      const inApp = entry.name === GITIGNORE ? '.gitignore' : path.slice(join(TEMPLATES_FOLDER, folder).length + 1)
      files.set(inApp, text.replaceAll(NAME, name).replaceAll(VERSION, `^${version}`))
    }
  }
  return files
}

/** `manifest`: the package.json of the app. npm does not install a package into an app of the same name. */
const problemOfName = (name: string, manifest: string): string | undefined => {
  if (!/^[a-z\d][a-z\d._-]{0,213}$/.test(name) || name === 'node_modules')
    return `'${name}' cannot be the name of an app: use lower-case letters, digits, '-', '.' and '_', as in 'my-app'.`
  const { dependencies, devDependencies }: Readonly<Record<string, Readonly<Record<string, string>>>> = JSON.parse(manifest)
  if (Object.hasOwn({ ...dependencies, ...devDependencies }, name))
    return `'${name}' is a package that the app installs: name the folder differently, as in '${name}-app'.`
  return undefined
}

const problemOfFolder = async (folder: string): Promise<string | undefined> => {
  try {
    const [first] = await readdir(folder)
    return first === undefined
      ? undefined
      : `'${folder}' is not empty (it has '${first}'), and no file is overwritten: name a new or an empty folder.`
  } catch (cause) {
    const { code }: { readonly code?: unknown } = Object(cause)
    if (code === 'ENOENT') return undefined
    if (code === 'ENOTDIR') return `'${folder}' is not a folder, or a part of its path is a file: name a new or an empty folder.`
    throw cause
  }
}

/** `folder`: an absolute path. `version`: of our own packages. A problem is found before anything is written, except for a disk that fails. */
export const createApp = async (template: TemplateName, folder: string, version: string): Promise<Created> => {
  try {
    const name = basename(folder)
    const files = await readTemplate(template, name, version)
    const problem = problemOfName(name, files.get('package.json') ?? '{}') ?? (await problemOfFolder(folder))
    if (problem !== undefined) return failed(problem)
    for (const [file, text] of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      // Fails if the file has appeared meanwhile.
      await writeFile(join(folder, file), text, { flag: 'wx' })
    }
    return { ok: true, files: [...files.keys()].sort() }
  } catch (cause) {
    return failed(`The app could not be written: ${cause instanceof Error ? cause.message : String(cause)}.`)
  }
}
