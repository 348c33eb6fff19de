import { expect, it } from 'vitest'
import { unwrap } from '../../test/support/skill-library.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { claimSkillName } from './skill-create-claim.ts'
import { toFolder } from './skill-discovery.ts'

const NOW = 1_700_000_000_000
const HOUR = 3_600_000
const MINUTE = 60_000

const claimedAt = async (at: number) => {
  const storage = inMemoryBackend()
  const first = unwrap(await claimSkillName(storage, toFolder('ops/deploy'), at))
  const rivalAt = async (now: number) => unwrap(await claimSkillName(storage, toFolder('dev/deploy'), now)).rival?.path
  return { first, rivalAt }
}

it('gives way to the writer that claimed the name less than a minute ago', async () => {
  expect(await (await claimedAt(NOW)).rivalAt(NOW + MINUTE - 1)).toBe('ops/deploy')
})

it.each([
  ['of a writer that is taken for dead', NOW - MINUTE],
  ['of a clock that was set back since', NOW + HOUR],
])('takes over the claim %s', async (_, at) => {
  expect(await (await claimedAt(at)).rivalAt(NOW)).toBeUndefined()
})

it('gives way to a writer whose clock is a little ahead', async () => {
  expect(await (await claimedAt(NOW + MINUTE - 1)).rivalAt(NOW)).toBe('ops/deploy')
})

it('is free again once it is released', async () => {
  const { first, rivalAt } = await claimedAt(NOW)
  await first.release()
  expect(await rivalAt(NOW + 1)).toBeUndefined()
})
