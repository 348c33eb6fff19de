/** Removes the files that only pass on names of one other, which the bundler writes for `import()`: who loads one then loads the other, which is one file less to read. */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const ESM = /^export\{[\w$,]+\}from"\.\/([\w-]+)\.js";?\s*$/
const COMMON_JS = /^const (\w+)=require\("\.\/([\w-]+)\.js"\);(?:exports\.([\w$]+)=\1\.\3[,;])+\s*$/
const SPECIFIER = /((?:\bfrom|\bimport|\bimport\(|\brequire\()(["'`])(?:\.\.?\/)+)([\w-]+)(\.js\2)/g

/** The file that a file passes names of on, without renaming one; `undefined` if it has code of its own. */
const targetOf = (code: string): string | undefined => ESM.exec(code)?.[1] ?? COMMON_JS.exec(code)?.[2]

/** `folder`: a build. `entries`: names of files in it that stay, since others import them. */
export const foldFacades = (folder: string, entries: ReadonlySet<string>): void => {
  const targets = new Map<string, string>()
  for (const file of globSync('*.js', { cwd: folder })) {
    const name = basename(file, '.js')
    const target = entries.has(name) ? undefined : targetOf(readFileSync(join(folder, file), 'utf8'))
    if (target === undefined) continue
    targets.set(name, target)
    for (const each of globSync(`${file}{,.map}`, { cwd: folder })) rmSync(join(folder, each))
  }
  for (const file of globSync('**/*.js', { cwd: folder })) {
    const path = join(folder, file)
    const code = readFileSync(path, 'utf8')
    const folded = code.replace(
      SPECIFIER,
      (_, before: string, __, name: string, after: string) => before + (targets.get(name) ?? name) + after,
    )
    if (folded !== code) writeFileSync(path, folded)
  }
}
