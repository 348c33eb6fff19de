/**
 * What the package.json of every published package says alike: whose it is, where its sources and its issues are, under which words it is found.
 * It is written from the package.json of the repository. `pnpm exec node scripts/release/manifests.ts` lists the packages that differ and ends with exit code 1,
 * `--write` mends them, `--owner <name>` first puts the name of the owner on GitHub into the addresses.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { PUBLISHED } from '../support/published.ts'

/** Stands in the addresses until somebody owns the repository. A release refuses it. */
export const PLACEHOLDER = 'OWNER'

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly homepage: string
  readonly bugs: { readonly url: string }
  readonly repository: { readonly type: 'git'; readonly url: string; readonly directory?: string }
  readonly keywords: readonly string[]
  readonly license: string
  readonly author: string
  readonly engines: { readonly node: string }
  readonly [field: string]: unknown
}

/** What a package has beside the fields of all. */
interface Own {
  readonly keywords: readonly string[]
  readonly node?: string
}

const OWN: Readonly<Record<string, Own>> = {
  'ai-sdk': { keywords: ['ai-sdk', 'vercel', 'middleware', 'mastra'] },
  cli: { keywords: ['cli', 'inspector', 'learning'], node: '>=20.19' },
  'coding-agents': { keywords: ['claude-code', 'codex', 'mcp', 'coding-agent', 'plugin'] },
  core: { keywords: ['skills', 'prompt-injection', 'learning', 'context'] },
  create: { keywords: ['create', 'starter', 'template', 'scaffold'], node: '>=20.19' },
  langchain: { keywords: ['langchain', 'langgraph', 'chat-memory'] },
  'openai-agents': { keywords: ['openai', 'openai-agents', 'agents-sdk'] },
  otel: { keywords: ['opentelemetry', 'tracing', 'metrics'] },
  postgres: { keywords: ['postgres', 'postgresql', 'neon', 'storage'] },
  recall: { keywords: ['search', 'bm25', 'recall'] },
  sqlite: { keywords: ['sqlite', 'node-sqlite', 'storage'], node: '>=22.13' },
  testing: { keywords: ['testing', 'conformance', 'vitest'] },
}

export const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/** The manifest of `packages/<name>` as it should be. */
const completed = (name: string, manifest: Manifest, root: Manifest): Manifest => {
  const own = OWN[name]
  if (own === undefined) throw new Error(`scripts/release/manifests.ts has no keywords for '${name}': add a line to OWN.`)
  const directory = `packages/${name}`
  const address = root.repository.url.replace(/^git\+|\.git$/g, '')
  return {
    ...manifest,
    keywords: [...root.keywords, ...own.keywords],
    homepage: `${address}/tree/main/${directory}#readme`,
    bugs: root.bugs,
    repository: { ...root.repository, directory },
    license: root.license,
    author: root.author,
    engines: { node: own.node ?? root.engines.node },
    publishConfig: { access: 'public' },
  }
}

const textOf = (manifest: Manifest): string => `${JSON.stringify(manifest, undefined, 2)}\n`

/** The packages whose package.json differs from what it should be, with the text that it should have. */
export const differingManifests = (root: string): readonly { readonly path: string; readonly text: string }[] =>
  PUBLISHED.flatMap((name) => {
    const path = join(root, 'packages', name, 'package.json')
    const text = textOf(completed(name, readManifest(join(path, '..')), readManifest(root)))
    return readFileSync(path, 'utf8') === text ? [] : [{ path, text }]
  })

const setOwner = (root: string, owner: string): void => {
  if (!/^[a-z\d](?:-?[a-z\d])*$/i.test(owner)) throw new Error(`'${owner}' is not the name of a user or an organisation on GitHub.`)
  for (const path of ['package.json', '.github/ISSUE_TEMPLATE/config.yml'].map((file) => join(root, file)))
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(`github.com/${PLACEHOLDER}/`, `github.com/${owner}/`))
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '../..')
  const { values } = parseArgs({ options: { write: { type: 'boolean' }, owner: { type: 'string' } } })
  if (values.owner !== undefined) setOwner(root, values.owner)
  const differing = differingManifests(root)
  if (values.write === true || values.owner !== undefined) for (const { path, text } of differing) writeFileSync(path, text)
  else if (differing.length > 0) {
    for (const { path } of differing) console.error(`${path} differs from the package.json of the repository.`)
    console.error("Run 'pnpm exec node scripts/release/manifests.ts --write'.")
    process.exitCode = 1
  }
}
