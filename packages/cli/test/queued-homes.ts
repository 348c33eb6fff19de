/** Homes whose reviews wait in a queue, for the tests of `hermes worker`. */
import { join } from 'node:path'
import { createHermesHomes, type Hermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { storageReviewQueue } from '@hermes/core/queue'
import { expect } from 'vitest'
import { runHermes, temporaryHome, writeHome } from './run-hermes.ts'

export const LISBON = JSON.stringify({
  proposals: [
    {
      target: 'user',
      op: { action: 'add', content: 'User lives in Lisbon', oldText: null },
      rationale: 'The person said so.',
      score: 0.9,
      evidence: [{ messageId: null, quote: 'I live in Lisbon' }],
    },
  ],
})

export const talkAndEnd = async (hermes: Hermes): Promise<void> => {
  const session = hermes.session('chat')
  for (const text of ['I live in Lisbon', 'It is sunny', 'Good night']) session.recordTurn({ messages: [{ role: 'user', text }] })
  expect(await session.end()).toEqual({ ok: true, value: { kind: 'queued' } })
}

export const queueFor = async (folder: string, ...owners: readonly string[]): Promise<void> => {
  const storage = fileSystemBackend(folder)
  const homes = createHermesHomes({ storage, review: { queue: storageReviewQueue({ storage }) } })
  for (const owner of owners) await talkAndEnd(homes.for(owner))
  await homes.close()
}

/** A folder in which a server has queued a review of each owner. */
export const folderOf = async (...owners: readonly string[]): Promise<string> => {
  const folder = temporaryHome()
  await queueFor(folder, ...owners)
  return folder
}

export const userOf = async (folder: string, owner: string): Promise<string> => {
  const { stdout } = await runHermes(['memory', 'show', '--home', folder, '--user', owner])
  return stdout
}

export const envOf = (url: string) => ({ OPENAI_BASE_URL: url, OPENAI_MODEL: 'm', COLUMNS: '200' })

/** A program's own homes. `more`: further lines of the module. */
export const writeModule = (folder: string, more = ''): string => {
  writeHome(folder, {
    'homes.mjs': `
      import { createHermesHomes } from '${import.meta.resolve('@hermes/core')}'
      import { fileSystemBackend } from '${import.meta.resolve('@hermes/core/file-system')}'
      import { storageReviewQueue } from '${import.meta.resolve('@hermes/core/queue')}'
      const storage = fileSystemBackend(${JSON.stringify(folder)})
      export const homes = createHermesHomes({
        storage,
        review: { queue: storageReviewQueue({ storage }), model: async () => ${JSON.stringify(LISBON)} },
      })
      ${more}`,
  })
  return join(folder, 'homes.mjs')
}
