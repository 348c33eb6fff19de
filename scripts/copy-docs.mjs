/** Copies docs/ into packages/core before it is packed, without the decisions, for readers without the repository, and adapts the links. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PACKAGE = 'packages/core/'
const DOCS = join(ROOT, 'docs')
const COPY = join(ROOT, PACKAGE, 'docs')

/** The start of the site, and pages that compare and prove: nobody builds an app with them. */
const LEFT_OUT = ['index.md', 'benchmarks.md', 'compare.md', 'measuring.md', 'promises.md']

/** The other pages: no pictures, no decisions, and nothing of the site. */
const isPacked = (path) => dirname(path) === DOCS && path.endsWith('.md') && !LEFT_OUT.includes(basename(path))

/**
 * A link in `page` (a path in the repository) as it appears in the package: links to other pages and to packages on npm are kept, all
 * others become plain text.
 */
const relink = (page, text, target) => {
  if (/^(?:[a-z]+:|#)/.test(target)) return `[${text}](${target})`
  const [path, anchor] = target.split('#')
  const file = posix.join(posix.dirname(page), path)
  if (isPacked(join(ROOT, file))) return `[${text}](${target})`
  if (file.startsWith(PACKAGE) && file.endsWith('.md')) {
    const own = posix.relative(posix.dirname(page), file.slice(PACKAGE.length))
    return `[${text}](${anchor === undefined ? own : `${own}#${anchor}`})`
  }
  const [, other] = /^packages\/([^/]+)\/README\.md$/.exec(file) ?? []
  return other === undefined ? text : `[${text}](https://www.npmjs.com/package/@hermes/${other})`
}

rmSync(COPY, { recursive: true, force: true })
mkdirSync(COPY)
for (const name of readdirSync(DOCS).filter((each) => isPacked(join(DOCS, each)))) {
  const page = posix.join('docs', name)
  const text = readFileSync(join(DOCS, name), 'utf8')
    .replace(/!\[([^\]]*)\]\([^)\s]+\)/g, (_picture, label) => `*${label}*`)
    .replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_link, label, target) => relink(page, label, target))
  writeFileSync(join(COPY, name), text)
}
