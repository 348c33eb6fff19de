/** Checks that the built packages run on the user's Node: writes a memory to a home on disk and reads it in a new session. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MemoryStore } from '../packages/core/dist/esm/index.js'
import { fileSystemBackend } from '../packages/core/dist/esm/storage/files/index.js'

const home = await mkdtemp(join(tmpdir(), 'hermes-smoke-'))
try {
  const written = new MemoryStore({ storage: fileSystemBackend(home) })
  await written.load()
  const outcome = await written.apply('memory', { action: 'add', content: 'The smoke test was here.' })
  assert.ok(outcome.ok, 'the memory was not written')
  assert.match(await readFile(join(home, 'memories/MEMORY.md'), 'utf8'), /The smoke test was here\./)

  const read = new MemoryStore({ storage: fileSystemBackend(home) })
  await read.load()
  assert.match(read.renderSnapshot('memory') ?? '', /The smoke test was here\./)

  const { hermesMiddleware, hermesTools, withHermes } = await import('../packages/ai-sdk/dist/esm/index.js')
  for (const part of [hermesMiddleware, hermesTools, withHermes]) assert.equal(typeof part, 'function')

  process.stdout.write(`smoke: a memory was written and read back on Node ${process.versions.node}\n`)
} finally {
  await rm(home, { recursive: true, force: true })
}
