import { expect, it } from 'vitest'
import { HermesError } from '../../src/shared/hermes-error.ts'
import { err, ok } from '../../src/shared/result.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import { updateDocument } from '../../src/storage/one-document.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { openHome, user } from './open-home.ts'
import { skillText } from './skill-home.ts'

it('tells that corrupt counts were set aside by an approval only once that is written', async () => {
  const inner = inMemoryBackend()
  let isFull = false
  const storage: StorageBackend = {
    ...inner,
    update: async (paths, plan, options) =>
      isFull && paths.includes('skills/.usage.json')
        ? err(new HermesError('no_space', 'The disk is full.'))
        : inner.update(paths, plan, options),
  }
  const { hermes, events } = openHome(storage, { gate: async () => ok({ verdict: 'hold', reason: 'A person decides.' }) })
  const op = { action: 'create', name: 'deploy', content: skillText('deploy', 'Run it.') } as const
  await hermes.session('one').submit({ target: 'skill', op, rationale: 'said', score: 0.9, evidence: [] }, [user('keep that as a skill')])
  const listed = await hermes.pending.list()
  const id = (listed.ok && listed.value[0]?.id) || ''
  await updateDocument(inner, 'skills/.usage.json', () => new TextEncoder().encode('not JSON'))
  const told = () =>
    events.flatMap((event) => (event.type === 'storage-failed' ? [[event.operation, event.error.details['keptAside']]] : []))
  isFull = true
  expect(await hermes.pending.approve(id)).toMatchObject({ ok: false, error: { code: 'no_space' } })
  expect(told()).toEqual([])
  isFull = false
  expect(await hermes.pending.approve(id)).toMatchObject({ ok: true })
  expect(told()).toEqual([['skill usage', [expect.stringMatching(/^skills\/\.usage-corrupt\//)]]])
})
