import { expect, it } from 'vitest'
import { stripWhiteSpace, WHITE_SPACE } from './white-space.ts'

it('strips exactly the characters of WHITE_SPACE', () => {
  const pattern = new RegExp(`^[${WHITE_SPACE}]$`, 'u')
  const differing: number[] = []
  for (let code = 0; code <= 0xffff; code++) {
    const character = String.fromCharCode(code)
    const isStripped = stripWhiteSpace(`${character}x${character}`) === 'x'
    if (isStripped !== pattern.test(character)) differing.push(code)
  }
  expect(differing).toEqual([])
})
