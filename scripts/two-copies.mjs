/** Loads the ESM and the CommonJS build of core in one process and uses both on one home. */
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const packageJson = new URL('../packages/core/package.json', import.meta.url)
const require = createRequire(packageJson)
const { exports } = require('./package.json')
const importOf = (entry) => import(new URL(exports[entry].import.default, packageJson).href)
const requireOf = (entry) => require(exports[entry].require.default)

const copies = [
  {
    name: 'esm',
    core: await importOf('.'),
    fileSystem: await importOf('./file-system'),
    review: await importOf('./review'),
    storage: await importOf('./storage'),
  },
  {
    name: 'cjs',
    core: requireOf('.'),
    fileSystem: requireOf('./file-system'),
    review: requireOf('./review'),
    storage: requireOf('./storage'),
  },
]
const [esm, cjs] = copies
assert.notEqual(esm.core.HermesError, cjs.core.HermesError, 'there is only one copy: this test shows nothing')

for (const [own, other] of [
  [esm, cjs],
  [cjs, esm],
]) {
  const error = new own.core.HermesError('io', 'lost')
  assert.ok(other.core.HermesError.isInstance(error), `the ${other.name} build does not know the error of the ${own.name} build`)
}
assert.equal(typeof esm.storage.UNCHANGED, 'symbol')
assert.equal(esm.storage.UNCHANGED, cjs.storage.UNCHANGED)

/** Adds one on each call; a lost update would leave the count too low. */
const countUp = ({ storage, of }) =>
  of.storage.updateDocument(storage, 'count.txt', (current) =>
    new TextEncoder().encode(`${Number(new TextDecoder().decode(current?.bytes ?? new Uint8Array())) + 1}`),
  )

const EMPTY = { usedChars: 0, charLimit: 2_000 }
const REQUEST = { mode: 'digest', transcript: [], entries: { memory: [], user: [] }, usage: { memory: EMPTY, user: EMPTY } }
const PROPOSAL = { target: 'user', op: { action: 'add', content: 'Lives in Lisbon.' }, rationale: 'said so', score: 0.9, evidence: [] }

for (const lock of ['auto', 'exclusive-file']) {
  const home = await mkdtemp(join(tmpdir(), 'hermes-two-copies-'))
  try {
    const storages = copies.map((of) => ({
      of,
      storage: of.fileSystem.fileSystemBackend(home, { lock, timeoutMs: 60_000, onWarning: () => {} }),
    }))
    const outcomes = await Promise.all(Array.from({ length: 100 }, (_, index) => countUp(storages[index % 2])))
    assert.deepEqual(
      outcomes.filter((outcome) => !outcome.ok),
      [],
    )
    assert.equal(await readFile(join(home, 'count.txt'), 'utf8'), '100', `updates were lost with lock '${lock}'`)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

// Passes parts of one build to the other: the proposer returns one valid and one invalid proposal.
for (const [own, other] of [
  [esm, cjs],
  [cjs, esm],
]) {
  const storage = own.core.inMemoryBackend()
  const store = new own.core.MemoryStore({ storage })
  await store.load()
  const answer = `{"proposals": [${JSON.stringify(PROPOSAL)}, {"target": nothing}]}`
  const proposer = own.review.modelProposer({ ...REQUEST, model: async () => answer })
  const summary = 'user: I live in Lisbon.'
  const same = await own.review.reviewAndLearn(summary, { proposer, store, gate: own.core.scoreThresholdGate() })
  const mixedStore = new own.core.MemoryStore({ storage: own.core.inMemoryBackend() })
  await mixedStore.load()
  const mixed = await other.review.reviewAndLearn(summary, { proposer, store: mixedStore, gate: own.core.scoreThresholdGate() })
  const told = ({ ok, value }) =>
    ok && { applied: value.applied.length, rejected: value.rejected.map(({ reason }) => reason), failed: value.failed.length }
  assert.equal(told(same).applied, 1, JSON.stringify(same))
  assert.equal(told(same).rejected.length, 1)
  assert.deepEqual(told(mixed), told(same), `the ${other.name} build reads a proposer of the ${own.name} build in another way`)
}

process.stdout.write('Both builds worked on one home.\n')
