/** Builds the page into one module, `dist/page.js`: whatever bundles the handler takes the page with it, and no file is looked up at run time. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build } from 'vite'

const FOLDER = import.meta.dirname

const TYPES = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

const built = await build({ root: join(FOLDER, 'src/page'), configFile: join(FOLDER, 'vite.config.ts'), logLevel: 'warn' })
const { output } = Array.isArray(built) ? built[0] : built

const toText = (file) => {
  if (file.type === 'chunk') return file.code
  return typeof file.source === 'string' ? file.source : new TextDecoder().decode(file.source)
}

const files = Object.fromEntries(
  output.map((file) => {
    const extension = file.fileName.slice(file.fileName.lastIndexOf('.') + 1)
    const type = TYPES[extension]
    if (type === undefined) throw new Error(`The page has a file of an unknown type: ${file.fileName}`)
    return [file.fileName, { type, text: toText(file) }]
  }),
)

mkdirSync(join(FOLDER, 'dist'), { recursive: true })
writeFileSync(join(FOLDER, 'dist/page.js'), `export const PAGE_FILES = ${JSON.stringify(files)}\n`)
// For the licences, which whoever bundles the page has to pass on. Relative, since turbo shares a build between copies of the repository.
const bundled = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds.filter((id) => id.includes('/node_modules/')) : []))
writeFileSync(join(FOLDER, 'dist/bundled.json'), JSON.stringify(bundled.map((id) => relative(FOLDER, id))))
