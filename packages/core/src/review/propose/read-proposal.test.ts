import { describe, expect, it } from 'vitest'
import { hasForbiddenKey, readProposal } from './read-proposal.ts'

const read = (item: unknown): unknown => {
  const proposed = readProposal(item)
  return proposed.ok ? proposed.value : proposed.error
}
const opOf = (op: unknown, more: object = {}) => (read({ target: 'memory', op, ...more }) as { readonly op: unknown }).op

describe('an item of the answer', () => {
  it('has the same meaning in any spelling of its keys', () => {
    const add = { action: 'add', content: 'x' }
    for (const op of [add, { action: ' ADD ', newText: 'x' }, { action: 'Add', new_text: 'x', content: null }])
      expect(opOf(op)).toStrictEqual(add)
    const replace = { action: 'replace', content: 'x', oldText: 'y' }
    for (const op of [replace, { ...replace, oldText: undefined, old_text: 'y' }]) expect(opOf(op)).toStrictEqual(replace)
    // Without an object for the operation.
    expect(read({ target: 'Memory', op: 'add', content: 'x' })).toStrictEqual({ target: 'memory', op: add })
    expect(read({ target: 'memory', action: 'add', content: 'x', reason: 'why' })).toStrictEqual({
      target: 'memory',
      op: add,
      rationale: 'why',
    })
    expect(opOf({ content: 'x' })).toStrictEqual({ content: 'x' })
  })

  it.each<[string, unknown, readonly string[]]>([
    ['name', 'deploy', ['skillName', 'skill_name']],
    ['category', 'ops', []],
    ['content', '---', ['fileContent', 'file_content']],
    ['oldText', 'a', ['old_text', 'oldString', 'old_string']],
    ['newText', 'b', ['new_text', 'newString', 'new_string']],
    ['filePath', 'references/a.md', ['file_path']],
    ['replaceAll', true, ['replace_all']],
    ['absorbedInto', 'release', ['absorbed_into']],
  ])('names the %s of a skill in any spelling', (key, value, others) => {
    for (const each of [key, ...others])
      for (const item of [{ op: { action: 'Write - File', [each]: value } }, { action: 'write-file', [each]: value }])
        expect(read({ target: 'Skills', ...item })).toStrictEqual({ target: 'skill', op: { action: 'write_file', [key]: value } })
  })

  it.each([
    ['0.9', 0.9],
    [' 0.85 ', 0.85],
    ['.25', 0.25],
    ['0', 0],
    ['1', 1],
    ['1.00', 1],
    [0.7, 0.7],
    ['high', 'high'],
    ['90%', '90%'],
    ['9', '9'],
    ['0.', '0.'],
    ['x0.9', 'x0.9'],
    ['0.9x', '0.9x'],
    ['10', '10'],
    ['0.12345678901', '0.12345678901'],
    ['', ''],
    [[0.9], [0.9]],
    [true, true],
  ])('has the score that it says, and none that is made up: %j', (score, expected) => {
    expect(read({ target: 'memory', op: { action: 'add', content: 'x' }, score })).toMatchObject({ score: expected })
  })

  it.each([
    ['m3', 'm3'],
    ['first', 'first'],
    [3, undefined],
    ['3', undefined],
    [' 12 ', undefined],
    ['', undefined],
    [null, undefined],
  ])('has evidence in the message that it names, if that is no bare number: %j', (id, messageId) => {
    for (const each of [
      { messageId: id, quote: 'q' },
      { message_id: id, text: 'q' },
      { id, quote: 'q' },
    ]) {
      const evidence = [{ quote: 'q', ...(messageId === undefined ? {} : { messageId }) }]
      expect(read({ target: 'memory', action: 'add', evidence: [each] })).toStrictEqual({
        target: 'memory',
        op: { action: 'add' },
        evidence,
      })
    }
  })

  it('is dropped if a key could reach a prototype, at any depth', () => {
    const forged = ['{"a":{"b":{"__proto__":1}}}', '{"a":[[{"constructor":1}]]}', '{"prototype":null}'].map((text) => JSON.parse(text))
    for (const part of forged) {
      expect(hasForbiddenKey(part)).toBe(true)
      expect(readProposal({ target: 'memory', op: { action: 'add', content: 'x', part } }).ok).toBe(false)
    }
    expect(hasForbiddenKey({ a: [null, 'constructor', { b: 1 }] })).toBe(false)
  })
})
