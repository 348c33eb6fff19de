/** Copies docs/ into packages/core before it is packed, for readers without the repository, and adapts the links. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PACKAGE = 'packages/core/'
const COPY = join(ROOT, PACKAGE, 'docs')

/**
 * A link in `page` (a path in the repository) as it appears in the package: links to other pages and to packages on npm are kept, all
 * others become plain text.
 */
const relink = (page, text, target) => {
  if (/^(?:[a-z]+:|#)/.test(target)) return `[${text}](${target})`
  const [path, anchor] = target.split('#')
  const file = posix.join(posix.dirname(page), path)
  if (file.startsWith('docs/')) return `[${text}](${target})`
  if (file.startsWith(PACKAGE) && file.endsWith('.md')) {
    const own = posix.relative(posix.dirname(page), file.slice(PACKAGE.length))
    return `[${text}](${anchor === undefined ? own : `${own}#${anchor}`})`
  }
  const [, other] = /^packages\/([^/]+)\/README\.md$/.exec(file) ?? []
  return other === undefined ? text : `[${text}](https://www.npmjs.com/package/@hermes/${other})`
}

rmSync(COPY, { recursive: true, force: true })
/** Pages only: no pictures, and nothing of the site. */
const isPacked = (path) => path.endsWith('.md') || path === join(ROOT, 'docs') || path === join(ROOT, 'docs/decisions')
cpSync(join(ROOT, 'docs'), COPY, { recursive: true, filter: (path) => isPacked(path) && path !== join(ROOT, 'docs/index.md') })
for (const name of readdirSync(COPY, { recursive: true }).filter((each) => each.endsWith('.md'))) {
  const file = join(COPY, name)
  const page = posix.join('docs', name.replaceAll('\\', '/'))
  const text = readFileSync(file, 'utf8')
    .replace(/!\[([^\]]*)\]\([^)\s]+\)/g, (_picture, label) => `*${label}*`)
    .replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_link, label, target) => relink(page, label, target))
  writeFileSync(file, text)
}
