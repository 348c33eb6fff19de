import { describe, expect, it } from 'vitest'
import { parseConsolidationAnswer } from './read-answer.ts'

const read = (answer: string) => {
  const parsed = parseConsolidationAnswer(answer)
  if (!parsed.ok) throw parsed.error
  return parsed.value
}

const codeOf = (answer: string) => {
  const parsed = parseConsolidationAnswer(answer)
  return parsed.ok ? undefined : parsed.error.code
}

const yaml = (...lines: readonly string[]) => `Two of them are one.\n\n\`\`\`yaml\n${lines.join('\n')}\n\`\`\`\n`

describe('parseConsolidationAnswer', () => {
  it('reads the prose and the block of the seeds', () => {
    expect(
      read(
        yaml(
          'consolidations:',
          '  - from: a',
          '    into: u',
          '    reason: same job',
          'prunings:',
          '  - name: old',
          '    reason: superseded',
        ),
      ),
    ).toEqual({
      consolidations: [{ from: 'a', into: 'u', reason: 'same job' }],
      prunings: [{ name: 'old', reason: 'superseded' }],
      umbrellas: [],
      leftOut: [],
      prose: 'Two of them are one.',
    })
  })

  it('reads an umbrella whole, code blocks in it included', () => {
    const { umbrellas } = read(
      yaml(
        'consolidations: [{from: a, into: u, method: CREATE, score: 0.9}]',
        'umbrellas:',
        '  - name: u',
        '    category: devops',
        '    content: |',
        '      ---',
        '      name: u',
        '      description: "All: of it"',
        '      ---',
        '      # Use',
        '      ```yaml',
        '      consolidations: []',
        '      ```',
        '      End.',
        '    files:',
        '      - path: references/x.md',
        '        content: |',
        '          More.',
      ),
    )
    expect(umbrellas).toEqual([
      {
        name: 'u',
        category: 'devops',
        content: '---\nname: u\ndescription: "All: of it"\n---\n# Use\n```yaml\nconsolidations: []\n```\nEnd.\n',
        files: [{ path: 'references/x.md', content: 'More.\n' }],
      },
    ])
  })

  it('takes the last block that holds a plan, so that a quoted example hides none', () => {
    const example = '```yaml\nconsolidations:\n  - {from: example, into: other}\n```\n'
    const unrelated = '```yaml\nname: not a plan\n```\n'
    expect(read(`${example}${yaml('consolidations: [{from: a, into: u}]')}${unrelated}`).consolidations).toEqual([
      { from: 'a', into: 'u', reason: '' },
    ])
  })

  it('reads JSON from providers that answer in nothing else, and drops thinking', () => {
    expect(read('{"summary":"One.","consolidations":[{"from":"a","into":"u","reason":"r"}]}')).toMatchObject({
      prose: 'One.',
      consolidations: [{ from: 'a', into: 'u', reason: 'r' }],
    })
    expect(
      read(`<think>maybe\n\`\`\`yaml\nprunings: [{name: x}]\n\`\`\`\n</think>${yaml('prunings: [{name: a, reason: r}]')}`).prunings,
    ).toEqual([{ name: 'a', reason: 'r' }])
  })

  it('leaves out what is incomplete, says so, and keeps the rest', () => {
    const answer = read(
      yaml(
        'consolidations: [{from: a}, {from: 1, into: u}, just text, {from: " b ", into: " u ", method: eat, score: 7}]',
        'prunings: oops',
        'umbrellas: [{name: u, files: [{path: references/a.md}]}]',
      ),
    )
    expect(answer.consolidations).toEqual([{ from: 'b', into: 'u', reason: '' }])
    expect(answer.umbrellas).toEqual([])
    expect(answer.leftOut).toHaveLength(5)
  })

  it('takes empty lists for an answer', () => {
    expect(read(yaml('consolidations:', 'prunings:'))).toMatchObject({ consolidations: [], prunings: [], leftOut: [] })
  })

  it.each([
    ['nothing', ' \n'],
    ['prose alone', 'I would merge a into b.'],
    ['a list', yaml('- from: a', '  into: b')],
    ['no YAML', yaml('consolidations: [', '  "')],
    ['a block that broke off', '```yaml\nconsolidations: [{from: a, into: u}]\numbrellas:\n  - name: u\n    content: |\n      half of'],
    ['an alias', yaml('consolidations: &x [{from: a, into: u}]', 'prunings: *x')],
    ['an unknown tag', yaml('consolidations: !!js/function "x"')],
    ['a key twice', yaml('consolidations: []', 'consolidations: [{from: a, into: u}]')],
    ['endless nesting', yaml(`consolidations: ${'['.repeat(50_000)}`)],
    ['nesting by dashes', yaml('consolidations:', `  ${'- '.repeat(50_000)}a`)],
    ['a giant', yaml(`consolidations: []\n# ${'x'.repeat(500_000)}`)],
  ])('reads nothing from %s', (_, answer) => {
    expect(codeOf(answer)).toBe('unparseable')
  })

  it('does not unfold a bomb of aliases', () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]']
    for (let at = 1; at < 12; at++)
      bomb.push(
        `${'abcdefghijkl'[at]}: &${'abcdefghijkl'[at]} [${Array(9)
          .fill(`*${'abcdefghijkl'[at - 1]}`)
          .join(',')}]`,
      )
    expect(codeOf(yaml(...bomb, 'consolidations: *l'))).toBe('unparseable')
  })

  it('looks at forty entries at most', () => {
    const many = Array.from({ length: 90 }, (_, at) => `  - {from: s${at}, into: u}`)
    const answer = read(yaml('consolidations:', ...many))
    expect(answer.consolidations).toHaveLength(40)
    expect(answer.leftOut).toHaveLength(1)
  })

  it('gives a hostile key no power', () => {
    const answer = read(yaml('__proto__: {polluted: true}', 'consolidations: [{from: a, into: u, __proto__: {reason: x}}]'))
    expect(answer.consolidations).toEqual([{ from: 'a', into: 'u', reason: '' }])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})
