import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { codePoint } from '../../test/support/code-point.ts'
import { checkStoragePath } from '../storage/storage-paths.ts'
import { type OwnerId, ownerKey, ownerOfPath, ownerPath, toOwnerId } from './owner.ts'

const name = fc.oneof(
  fc.string({ unit: codePoint, minLength: 1, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom('a', 'A', '~', '-', '6', '1', 'é', 'e\u0301', '/', '.'), minLength: 1, maxLength: 6 }),
  fc.string({ unit: codePoint, minLength: 30, maxLength: 250 }),
)
const owner: fc.Arbitrary<OwnerId> = fc
  .record({ tenant: fc.option(name, { nil: undefined }), user: name })
  .map(({ tenant, user }) => (tenant === undefined ? { user } : { tenant, user }))

/** Folds as file systems do that ignore case and Unicode form. */
const fold = (path: string): string => path.normalize('NFC').toLowerCase()

describe('ownerPath', () => {
  it('is a valid path of two segments, and gives the owner back if the names are short', async () => {
    await fc.assert(
      fc.asyncProperty(owner, async (id) => {
        const path = await ownerPath(id)
        expect(checkStoragePath(`homes/${path}/x`).ok).toBe(true)
        expect(path.split('/').map((segment) => segment.length <= 100)).toEqual([true, true])
        if (!path.includes('~-')) expect(ownerOfPath(path)).toEqual(id)
        else expect(ownerOfPath(path)).toBeUndefined()
      }),
      { seed: 11, numRuns: rounds(500) },
    )
  })

  it('differs if the owners differ, also on a file system that ignores case and Unicode form', async () => {
    await fc.assert(
      fc.asyncProperty(owner, owner, async (a, b) => {
        const isSame = ownerKey(a) === ownerKey(b)
        expect(fold(await ownerPath(a)) === fold(await ownerPath(b))).toBe(isSame)
      }),
      { seed: 12, numRuns: rounds(1_000) },
    )
  })

  it.each([
    ['alice', '~none/alice'],
    ['Alice', '~none/~41lice'],
    ['../../etc', '~none/~2e~2e~2f~2e~2e~2fetc'],
    ['nul', '~none/~6eul'],
    ['com1', '~none/~63om1'],
    ['~none', '~none/~7enone'],
    ['.', '~none/~2e'],
  ])('of %s is %s', async (user, path) => {
    expect(await ownerPath({ user })).toBe(path)
  })

  it('tells long names apart that begin alike', async () => {
    const [one, other] = await Promise.all(['a', 'b'].map((last) => ownerPath({ user: `${'x'.repeat(511)}${last}` })))
    expect(one).not.toBe(other)
  })
})

describe('toOwnerId', () => {
  it('takes a string for a user without a tenant', () => {
    expect(toOwnerId('alice')).toEqual({ user: 'alice' })
    expect(toOwnerId({ user: 'alice', tenant: undefined })).toEqual({ user: 'alice' })
    expect(toOwnerId({ user: 'alice', tenant: 'acme' })).toEqual({ tenant: 'acme', user: 'alice' })
  })

  it('takes 512 characters and no more', () => {
    expect(toOwnerId('x'.repeat(512)).user).toHaveLength(512)
    expect(() => toOwnerId('x'.repeat(513))).toThrow(/513 characters.*1 to 512/)
  })
})
