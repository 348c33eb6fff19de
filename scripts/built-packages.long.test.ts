/** What the built packages besides core load. */
import { describe, expect, it } from 'vitest'
import { outsideImports } from './support/outside-imports.ts'

describe('the built packages', () => {
  it('load @hermes/ai-sdk without anything but what adapters share, the AI SDK included', async () => {
    expect(await outsideImports('packages/ai-sdk', 'index.js')).toEqual(['@hermes/core/adapter'])
  })

  it('load @hermes/langchain without anything but LangChain itself, its agent in the subpath alone', async () => {
    const foreign = async (entry: string) =>
      (await outsideImports('packages/langchain', entry)).filter(
        (specifier) => !/^@hermes\/core\/adapter$|^@langchain\/core\//.test(specifier),
      )
    expect(await foreign('index.js')).toEqual([])
    expect(await foreign('agent.js')).toEqual(['langchain', 'zod'])
  })

  it('load @hermes/otel without anything', async () => {
    expect(await outsideImports('packages/otel', 'index.js')).toEqual([])
  })

  it('load @hermes/postgres without anything but core, no database client included', async () => {
    expect(await outsideImports('packages/postgres', 'index.js')).toEqual(['@hermes/core', '@hermes/core/queue', '@hermes/core/storage'])
  })

  it('load @hermes/sqlite without node:sqlite, so that an old Node gets an error that says what it needs', async () => {
    const imports = ['@hermes/core', '@hermes/core/queue', '@hermes/core/storage', 'node:fs', 'node:path', 'node:timers/promises']
    expect(await outsideImports('packages/sqlite', 'index.js')).toEqual(imports)
  })

  it('load @hermes/recall without SQLite, which it looks for when it is opened', async () => {
    const imports = await outsideImports('packages/recall', 'index.js')
    expect(imports.filter((name) => !name.startsWith('node:'))).toEqual(['@hermes/core', '@hermes/core/provider'])
    expect(imports).not.toContain('node:sqlite')
  })

  it('see node: where it belongs, in the file system back end', async () => {
    expect(await outsideImports('packages/core', 'storage/files/index.js')).toContain('node:module')
  })
})
