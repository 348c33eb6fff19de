/** What a newcomer reads first: the first program is the same on every page, and no page promises a package that npm does not have. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { installingPages, withNotice, withoutNotice } from './release/not-on-npm.ts'

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

it('says on every page that installs a package whether npm has it: `node scripts/release/not-on-npm.ts --write`', () => {
  const { version }: { version: string } = JSON.parse(read('packages/core/package.json'))
  const pages = installingPages()
  expect(pages.filter((page) => withNotice(read(page)) !== withoutNotice(read(page))).length).toBeGreaterThan(15)
  const expected = version === '0.0.0' ? withNotice : withoutNotice
  expect(pages.filter((page) => expected(read(page)) !== read(page))).toEqual([])
})
