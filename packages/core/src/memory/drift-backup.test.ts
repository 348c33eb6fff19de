import { expect, it } from 'vitest'
import { HermesError } from '../shared/hermes-error.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { updateDocument } from '../storage/one-document.ts'
import { MEMORY_PATHS } from '../storage/storage-paths.ts'
import { backupsIn, planBackup } from './change-memory.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const copy = (name: string) => `${MEMORY_PATHS.memory}.bak.${name}`

/** Plans a copy in second 7, beside copies with these names. */
const plan = async (names: readonly string[], text = 'new', unreadable = false) => {
  const storage = inMemoryBackend()
  for (const name of names) await updateDocument(storage, copy(name), () => bytes(`copy ${name}`))
  const listed = await storage.list('memories')
  const named = listed.ok ? backupsIn(listed.value, 'memory').map(({ path }) => path) : []
  const cut = await storage.read(['memories/', ...named])
  if (!cut.ok) throw cut.error
  const document = (path: string) => {
    if (unreadable) throw new HermesError('io', 'The disk failed.')
    return cut.value.document(path)
  }
  return planBackup({ ...cut.value, document }, 'memory', bytes(text), 7_500, (path) => named.includes(path))
}

it.each([
  ['is the second', [], '7'],
  ['begins anew with each second', ['6-3'], '7'],
  ['has the next number within a second', ['7', '7-2'], '7-3'],
  ['has a number past those that were removed', ['7-12'], '7-13'],
  ['does not follow a file that is no copy', ['old-7-4', '7-4-old'], '7'],
])('the name of a copy %s', async (_, before, name) => {
  expect(await plan(before)).toEqual({ path: copy(name), put: { [copy(name)]: bytes('new') } })
})

it('an identical copy is used again, unless it cannot be read', async () => {
  expect(await plan(['6', '5'], 'copy 5')).toEqual({ path: copy('5'), put: {} })
  expect(await plan(['6', '5'], 'copy 5', true)).toMatchObject({ path: copy('7') })
})

it('all but the newest five go', async () => {
  const { put } = await plan(['1', '2', '3', '4', '5', '6'])
  expect(put).toEqual({ [copy('7')]: bytes('new'), [copy('1')]: null, [copy('2')]: null })
})
