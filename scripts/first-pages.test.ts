/** What a newcomer reads first: the first program is the same on every page, and no page promises a package that npm does not have. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { NOT_ON_NPM } from './release/not-on-npm.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

const firstProgram = (page: string): string => /^```(?:ts|js)\n([\s\S]*?)^```/m.exec(read(page))?.[1] ?? ''

const WITH_MODEL = [
  'README.md',
  'packages/ai-sdk/README.md',
  'docs/start-ai-sdk.md',
  'docs/index.md',
  'packages/openai-agents/README.md',
  'packages/ai-sdk/skills/hermes-ai-sdk/SKILL.md',
]

const OTHERS = [
  'packages/core/README.md',
  'packages/langchain/README.md',
  'docs/start-langchain.md',
  'packages/core/skills/hermes-core/SKILL.md',
  'packages/langchain/skills/hermes-langchain/SKILL.md',
]

describe('the first program of', () => {
  it.each(WITH_MODEL)('%s wraps the model with withHermes', (page) => {
    expect(firstProgram(page)).toMatch(/^const model = withHermes\(.+, session\)/m)
  })

  it.each([...WITH_MODEL, ...OTHERS])('%s ends the conversation, so that a short one is learned from', (page) => {
    expect(firstProgram(page)).toMatch(/^await [\w.()':-]+\.end\(/m)
  })
})

const packages = ['docs/*.md', 'packages/*/README.md', 'packages/*/skills/*/SKILL.md']

const pages = execFileSync('git', ['ls-files', ...packages], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')

it('says on every page that installs a package whether npm has it', () => {
  const installing = pages.filter((page) => /^(?:\$ )?(?:npm (?:install|create)|npx) .*@hermes\b/m.test(read(page)))
  expect(installing.length).toBeGreaterThan(8)
  const { version }: { version: string } = JSON.parse(read('packages/core/package.json'))
  const saying = pages.filter((page) => read(page).replace(/\s+/g, ' ').includes(NOT_ON_NPM))
  expect(saying).toEqual(version === '0.0.0' ? installing : [])
})
