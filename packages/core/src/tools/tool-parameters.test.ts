import { expect, it } from 'vitest'
import { choiceParameter, listParameter, parameters, switchParameter, textParameter } from './tool-parameters.ts'

const { accepted } = parameters<{
  readonly name: string
  readonly all: boolean
  readonly how: 'a' | 'b'
  readonly parts: readonly { readonly name?: string | null | undefined }[]
}>({
  name: textParameter(),
  all: switchParameter(),
  how: choiceParameter(['a', 'b']),
  parts: listParameter(parameters<{ readonly name: string }>({ name: textParameter() })),
})

it('reads what fits, and leaves out what it does not know', () => {
  const input = { name: 'x', all: null, how: 'b', parts: [{ name: 'y' }], other: 1 }
  const { other, ...known } = input
  expect(accepted.safeParse(input)).toEqual({ success: true, data: known })
  expect(accepted.safeParse({})).toEqual({ success: true, data: {} })
})

it.each([
  [null, [], 'Invalid input: expected object, received null'],
  [[], [], 'Invalid input: expected object, received array'],
  [{ name: 1 }, ['name'], 'Invalid input: expected string, received number'],
  [{ all: 'yes' }, ['all'], 'Invalid input: expected boolean, received string'],
  [{ how: 'c' }, ['how'], 'Invalid option: expected one of "a"|"b"'],
  [{ parts: {} }, ['parts'], 'Invalid input: expected array, received object'],
  [{ parts: [{}, { name: [] }] }, ['parts', 1, 'name'], 'Invalid input: expected string, received array'],
])('says of %j where it does not fit, and why', (input, path, message) => {
  const checked = accepted.safeParse(input)
  expect(!checked.success && checked.error.issues).toEqual([{ path, message }])
})
