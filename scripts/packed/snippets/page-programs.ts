/** The pages, their blocks, and the programs that are made of them. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isProgram, plansFor } from './check-page.ts'
import { type BlockPlan, PLANS } from './plans.ts'
import { type CodeBlock, fileNameOf, readBlocks } from './read-blocks.ts'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PAGES = ['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'packages/*/README.md', 'packages/*/skills/*/SKILL.md', 'examples/*/README.md']
export const pages = globSync(PAGES, { cwd: ROOT })
  .map((page) => page.replaceAll('\\', '/'))
  .toSorted()
export const blocksOf = (page: string): readonly CodeBlock[] => readBlocks(readFileSync(join(ROOT, page), 'utf8'))
const programsOf = (page: string): readonly CodeBlock[] => blocksOf(page).filter(isProgram)

const plansOf = (page: string): readonly BlockPlan[] => plansFor(page, programsOf(page))

/** Where the programs of a page are, so that files with one name do not meet. */
export const folderOf = (page: string): string => page.replace(/\.md$/, '').replaceAll('/', '-').toLowerCase()

export interface Program {
  readonly file: string
  readonly block: CodeBlock
  readonly plan: BlockPlan
}

export const programs = (page: string): readonly Program[] =>
  programsOf(page).flatMap((block, index) => {
    const plan = plansOf(page)[index]
    if (plan === undefined) return []
    const extension = block.language === 'js' ? 'mjs' : block.language
    return [{ file: plan.kind === 'elsewhere' ? '' : (fileNameOf(block) ?? `block-${index}.${extension}`), block, plan }]
  })

export const textOf = ({ block, plan }: Program): string => {
  if (plan.kind === 'elsewhere') return block.code
  if (plan.kind === 'compiled') return `${plan.before}\n${block.code}`
  const code = plan.edit === undefined ? block.code : plan.edit(block.code)
  return `${plan.before ?? ''}\n${code}\n${plan.after ?? ''}`
}

/** The files of a page that several blocks build up, one after the other. */
export const filesBuiltUp = (page: string): Readonly<Record<string, string>> => {
  const files: Record<string, string> = {}
  for (const block of programsOf(page).filter(({ language }) => language === 'ts')) {
    const name = fileNameOf(block)
    if (name !== undefined && PLANS[page] !== undefined) files[name] = `${files[name] ?? ''}\n${block.code}`
  }
  return files
}

export const isCompiled = ({ file, plan }: Program): boolean => plan.kind !== 'elsewhere' && /\.tsx?$/.test(file)
