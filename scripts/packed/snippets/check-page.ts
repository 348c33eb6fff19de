/** Whether something runs each block of a page. */
import { commandsIn, planOf } from './commands.ts'
import { type BlockPlan, PLANS } from './plans.ts'
import { type CodeBlock, readBlocks } from './read-blocks.ts'

export const isProgram = ({ language }: CodeBlock): boolean => /^(?:ts|tsx|js|mjs)$/.test(language)

/** A page without a plan has programs that are complete: each names its file. */
export const plansFor = (page: string, programs: readonly CodeBlock[]): readonly BlockPlan[] =>
  PLANS[page] ?? programs.map(({ notRun }) => (notRun === undefined ? { kind: 'program' } : { kind: 'compiled', before: '' }))

/** Blocks that are neither programs nor commands, by the pages whose tests run or read them. */
const READ_BY: Readonly<Record<string, RegExp>> = {
  json: /^docs\/skills\.md$/,
  yaml: /^docs\/configuration\.md$/,
  python: /^docs\/http\.md$/,
  sql: /^(?:docs\/production|packages\/postgres\/README)\.md$/,
  // What a program before it prints, or a console shows.
  text: /^docs\//,
  console: /^(?:docs|packages)\/|^examples\/chat-agent\//,
  // What a person types in the chat, and its answers: examples/chat-agent/test runs them.
  '': /^README\.md$|^examples\/chat-agent\//,
}

const faultsOfBlock = (page: string, block: CodeBlock): readonly string[] => {
  if (isProgram(block)) return []
  if (block.language === 'sh') return commandsIn(block.code).flatMap((line) => (planOf(line) ? [] : [`'${line}' is run by nothing`]))
  return READ_BY[block.language]?.test(page) ? [] : [`a block of '${block.language}' is run by nothing`]
}

/** What is wrong, each with its line; empty if every block is run, or is compiled and says why it is not run. */
export const faultsIn = (page: string, markdown: string): readonly string[] => {
  const blocks = readBlocks(markdown)
  const programs = blocks.filter(isProgram)
  const plans = plansFor(page, programs)
  const ofPrograms = programs.flatMap(({ line, notRun }, index) => {
    const plan = plans[index]
    if (plan === undefined) return [`${page}:${line}: nothing says how this program is run`]
    return plan.kind === 'compiled' && notRun === undefined ? [`${page}:${line}: only compiled, and does not say why`] : []
  })
  const surplus = plans.length > programs.length ? [`${page}: the plan has ${plans.length} programs, the page ${programs.length}`] : []
  const ofOthers = blocks.flatMap((block) => faultsOfBlock(page, block).map((fault) => `${page}:${block.line}: ${fault}`))
  return [...ofPrograms, ...ofOthers, ...surplus]
}
