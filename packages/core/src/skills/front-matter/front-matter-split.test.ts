import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitSkillText } from './front-matter-split.ts'

it('joins again to the very text that was cut', () => {
  const piece = fc.constantFrom('---', '\n', '\r\n', '\ufeff', 'name: x', '--- ', '----', ' ', '技能')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      const { marks, opening, yaml, closing, body } = splitSkillText(text)
      expect(marks + opening + yaml + closing + body).toBe(text)
    }),
    { seed: 7 },
  )
})

it('ends front matter at a line of its own, white space after the fence aside', () => {
  expect(splitSkillText('---\na: x --- y\n  ---\n---  \r\nbody')).toEqual({
    marks: '',
    opening: '---\n',
    yaml: 'a: x --- y\n  ---\n',
    closing: '---  \r\n',
    body: 'body',
  })
})

it('says what is missing if there are not two fences', () => {
  expect(splitSkillText('\n---\na: b\n---\n')).toMatchObject({ fault: 'no_front_matter', body: '\n---\na: b\n---\n' })
  expect(splitSkillText('---\na: b\n----\n')).toMatchObject({ fault: 'unclosed_front_matter', yaml: '' })
})
