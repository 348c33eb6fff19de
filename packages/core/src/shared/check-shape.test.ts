import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { memoryTool } from '../tools/memory-tool.ts'
import { checkShape } from './check-shape.ts'

const shape = z.strictObject({
  name: z.string().check(z.minLength(2)),
  size: z.int().check(z.nonnegative()),
  mode: z.enum(['a', 'b']),
  own: z.optional(z.boolean('true or false')),
})

const valid = { name: 'ab', size: 1, mode: 'a' }

const problemOf = (value: unknown) => checkShape(shape, value).error?.issues[0]?.message

// zod keeps its language for the whole process, and every copy of it shares that.
for (const [language, localeError] of [
  ['none', undefined],
  ['another', () => 'Ungültige Eingabe'],
] as const)
  describe(`with ${language} as the language that the host has set for zod`, () => {
    const before = z.config().localeError
    beforeEach(() => void z.config({ localeError }))
    afterEach(() => void z.config({ localeError: before }))

    it('says in English what is wrong', () => {
      expect(problemOf({ ...valid, name: 1 })).toBe('Invalid input: expected string, received number')
      expect(problemOf({ ...valid, name: 'a' })).toBe('Too small: expected string to have >=2 characters')
      expect(problemOf({ ...valid, size: -1 })).toBe('Too small: expected number to be >=0')
      expect(problemOf({ ...valid, mode: 'c' })).toBe('Invalid option: expected one of "a"|"b"')
      expect(problemOf({ ...valid, more: 1 })).toBe('Unrecognized key: "more"')
    })

    it("keeps a schema's own message", () => {
      expect(problemOf({ ...valid, own: 'yes' })).toBe('true or false')
    })

    it('says it also to a host that checks the input of a tool itself', () => {
      const tool = memoryTool({ write: async () => ({ kind: 'refused', code: 'io', message: 'not called' }) })
      const problems = (input: unknown): readonly unknown[] => {
        const checked = tool?.inputSchema.safeParse(input)
        if (checked?.success !== false) return []
        const issues: readonly { readonly message: string }[] = JSON.parse(checked.error.message)
        return issues.map(({ message }) => message)
      }
      expect(problems({ target: 'all', content: 1, operations: [{ action: 'drop' }] })).toEqual([
        'Invalid option: expected one of "memory"|"user"',
        'Invalid input: expected string, received number',
        'Invalid option: expected one of "add"|"replace"|"remove"',
      ])
      expect(problems('add')).toEqual(['Invalid input: expected object, received string'])
    })
  })

it('answers the value of a fitting input', () => {
  expect(checkShape(shape, valid)).toMatchObject({ success: true, data: valid })
})
