/** Writes the pages of `docs/reference/` from the doc comments of the public entries: one page for each entry, which lists only what it exports. */
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Application, Comment } from 'typedoc'
import { packageEntries } from '../../scripts/package-entries.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = join(ROOT, 'docs/reference')
/** Bundled by a program of its own, so its entries are not built from one source file each. */
const CLI = { '@hermes/cli/model': 'src/model/choose-model.ts', '@hermes/cli/provider': 'src/provider/load-provider.ts' }

/** Source file → import specifier. */
const entries = new Map<string, string>()
for (const manifest of globSync('packages/*/package.json', { cwd: ROOT }).toSorted()) {
  const folder = join(ROOT, manifest, '..')
  const { name, private: isPrivate = false }: { name: string; private?: boolean } = JSON.parse(readFileSync(join(ROOT, manifest), 'utf8'))
  if (isPrivate) continue
  if (name === '@hermes/cli') for (const [specifier, source] of Object.entries(CLI)) entries.set(join(folder, source), specifier)
  else for (const { specifier, source } of packageEntries(folder)) entries.set(join(folder, source), specifier)
}

const app = await Application.bootstrapWithPlugins({
  entryPoints: [...entries.keys()],
  tsconfig: join(ROOT, 'docs/reference.tsconfig.json'),
  plugin: ['typedoc-plugin-markdown'],
  router: 'module',
  name: 'Reference',
  readme: 'none',
  out: FOLDER,
  disableSources: true,
  excludeExternals: true,
  excludePrivate: true,
  excludeInternal: true,
  skipErrorChecking: true,
  githubPages: false,
  logLevel: 'Error',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  useHTMLAnchors: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  tableColumnSettings: { hideModifiers: true, hideInherited: true, hideOverrides: true, hideSources: true },
  entryFileName: 'index',
} as Parameters<typeof Application.bootstrapWithPlugins>[0])

const points = app.getEntryPoints() ?? []
if (points.length !== entries.size) throw new Error('TypeDoc could not read the sources of every entry.')
const named = points.map((point) => ({ ...point, displayName: entries.get(point.sourceFile.fileName) ?? point.displayName }))
const project = app.converter.convert(named)
/** The text of the comment that opens a file, on one line. */
const opening = (specifier: string): string => {
  const file = [...entries].find(([, each]) => each === specifier)?.[0]
  const [, comment = ''] = /^\/\*\*([\s\S]*?)\*\//.exec(file === undefined ? '' : readFileSync(file, 'utf8')) ?? []
  return comment.replace(/\s+\*?\s*/g, ' ').trim()
}

const lineOf = (comment: Comment | undefined): string => Comment.combineDisplayParts(comment?.summary).replace(/\s+/g, ' ').trim()

// What opens an entry's file is about the entry. TypeDoc takes it for the comment of the first name.
for (const entry of project.children ?? []) {
  const about = opening(entry.name)
  for (const child of entry.children ?? []) {
    const holders = [child, ...(child.signatures ?? [])].filter(({ comment }) => about !== '' && lineOf(comment) === about)
    for (const holder of holders) {
      if (entry.comment === undefined && holder.comment !== undefined) entry.comment = holder.comment.clone()
      delete holder.comment
    }
  }
}

rmSync(FOLDER, { recursive: true, force: true })
await app.generateOutputs(project)
