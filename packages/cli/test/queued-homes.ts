/** Homes whose reviews are due, for the tests of `hermes worker`. */
import { dirname, join } from 'node:path'
import { createHermesHomes, type Hermes } from '@hermes/core'
import { fileSystemBackend } from '@hermes/core/file-system'
import { sqliteReviewQueue } from '@hermes/sqlite'
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

const talk = async (hermes: Hermes): Promise<void> => {
  const session = hermes.session('chat')
  for (const text of ['I live in Lisbon', 'It is sunny', 'Good night']) session.recordTurn({ messages: [{ role: 'user', text }] })
  await hermes.settled()
}

/** Half an hour ago, so that the homes are idle now. */
const earlier = (): number => Date.now() - 31 * 60_000

/** A server talks with the owners, and too little for a review. */
export const talkIn = async (folder: string, ...owners: readonly string[]): Promise<void> => {
  const homes = createHermesHomes({ storage: fileSystemBackend(folder), clock: earlier, review: { model: async () => '' } })
  for (const owner of owners) await talk(homes.for(owner))
  await homes.close()
}

/** A folder in which a review of each owner is due. */
export const folderOf = async (...owners: readonly string[]): Promise<string> => {
  const folder = temporaryHome()
  await talkIn(folder, ...owners)
  return folder
}

export const userOf = async (folder: string, owner: string): Promise<string> => {
  const { stdout } = await runHermes(['memory', 'show', '--home', folder, '--user', owner])
  return stdout
}

export const envOf = (url: string) => ({ OPENAI_BASE_URL: url, OPENAI_MODEL: 'm', COLUMNS: '200' })

/** A program's own homes, with a review of each owner in its queue. `more`: further lines of the module. */
export const moduleOf = async (owner: string, more = ''): Promise<{ readonly folder: string; readonly module: string }> => {
  const folder = temporaryHome()
  const file = join(temporaryHome(), 'queue.db')
  writeHome(dirname(file), {})
  const storage = fileSystemBackend(folder)
  const homes = createHermesHomes({ storage, review: { queue: sqliteReviewQueue(file) } })
  await talk(homes.for(owner))
  expect(await homes.for(owner).session('chat').end()).toEqual({ ok: true, value: { kind: 'queued' } })
  await homes.close()
  writeHome(folder, {
    'homes.mjs': `
      import { createHermesHomes } from '${import.meta.resolve('@hermes/core')}'
      import { fileSystemBackend } from '${import.meta.resolve('@hermes/core/file-system')}'
      import { sqliteReviewQueue } from '${import.meta.resolve('@hermes/sqlite')}'
      export const homes = createHermesHomes({
        storage: fileSystemBackend(${JSON.stringify(folder)}),
        review: { queue: sqliteReviewQueue(${JSON.stringify(file)}), model: async () => ${JSON.stringify(LISBON)} },
      })
      ${more}`,
  })
  return { folder, module: join(folder, 'homes.mjs') }
}
