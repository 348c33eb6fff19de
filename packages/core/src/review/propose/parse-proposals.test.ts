import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../../scripts/support/rounds.ts'
import { reviewProposalSchema } from '../../proposal/review-proposal.ts'
import { MAX_ANSWER_CHARS, parseProposals } from './parse-proposals.ts'
import { hasForbiddenKey, isProposalLike, readProposal } from './read-proposal.ts'
import type { ProposedItem } from './review-proposer.ts'

const item = (content: string) => ({
  target: 'memory',
  op: { action: 'add', content },
  score: 0.9,
  evidence: [{ messageId: 'm1', quote: content }],
})
const envelope = (...contents: string[]) => JSON.stringify({ proposals: contents.map(item) })

interface Dropped {
  readonly dropped: string
  readonly raw: unknown
}
const shown = (each: ProposedItem): unknown => (each.ok ? each.value : { dropped: each.error.reason, raw: each.error.raw })
const isDropped = (each: unknown): each is Dropped => typeof each === 'object' && each !== null && 'dropped' in each

const parsed = (answer: string, max?: number): readonly unknown[] => {
  const result = parseProposals(answer, max)
  if (!result.ok) throw result.error
  return result.value.items.map(shown)
}
const code = (answer: string) => {
  const result = parseProposals(answer)
  return result.ok ? 'ok' : result.error.code
}
const reasons = (items: readonly unknown[]) => items.filter(isDropped).map(({ dropped }) => dropped)

describe('parseProposals', () => {
  it.each([
    ['a clean object', envelope('a')],
    ['a bare list', JSON.stringify([item('a')])],
    ['one proposal without a list', JSON.stringify(item('a'))],
    ['a fence', `\`\`\`json\n${envelope('a')}\n\`\`\``],
    ['talk around a fence', `Sure! Here [you] go:\n\n\`\`\`json\n${envelope('a')}\n\`\`\`\nHope {this} helps.`],
    ['an unclosed fence', `\`\`\`json\n${envelope('a')}`],
    ['the last of two fences', `\`\`\`json\n${envelope('draft')}\n\`\`\`\nBetter:\n\`\`\`json\n${envelope('a')}\n\`\`\``],
    ['talk around loose JSON', `I propose {one} thing: ${envelope('a')} That is all.`],
    ['thinking before it', `<think>maybe ${envelope('draft')}?</think>\n${envelope('a')}`],
    ['thinking whose opening tag is missing', `maybe ${envelope('draft')}?</think>\n${envelope('a')}`],
    ['a trailing comma', `{"proposals": [${JSON.stringify(item('a'))},]}`],
    ['words beside the list', JSON.stringify({ note: 'x', proposals: [item('a')], extra: 1 })],
    ['a byte order mark', `\uFEFF${envelope('a')}`],
  ])('reads %s', (_, answer) => {
    expect(parsed(answer)).toEqual([item('a')])
  })

  it.each([
    'Nothing to save.',
    'There is nothing worth remembering here.',
    'I found no new facts to store.',
    '{"proposals": []}',
    '{"proposals": null}',
    '[]',
  ])('takes as nothing to save: %s', (answer) => expect(parsed(answer)).toEqual([]))

  it.each(['', '   ', 'The weather is fine.', '{"answer": 42}', '<think>only thinking', '{"proposals": "none"}', '42'])(
    'cannot read: %s',
    (answer) => expect(code(answer)).toBe('unparseable'),
  )

  it.each([
    ['one proposal in talk', `I propose ${JSON.stringify(item('a'))}, that is all.`],
    ['a list in talk, with numbers in brackets before it', `As in [1, 2] and [null]: ${JSON.stringify([item('a')])}`],
    ['a list inside of what is no JSON', `{note: [${JSON.stringify(item('a'))}]}`],
    ['the list of proposals beside others', JSON.stringify({ examples: [item('x')], note: null, proposals: [item('a')], more: [1] })],
    ['the only list, under another name', JSON.stringify({ note: 'x', items: [item('a')] })],
  ])('reads %s', (_, answer) => expect(parsed(answer)).toEqual([item('a')]))

  it('keeps brackets and quotes inside a text, wherever the answer begins', () => {
    const text = 'a } ] b { [ c "d" \\ e \\" f'
    const both = [item(text), item('"')]
    expect(parsed(`Here: ${JSON.stringify({ proposals: both })} {done}`)).toEqual(both)
    expect(parsed(`Here: ${JSON.stringify(both)} {done}`)).toEqual(both)
    expect(parsed(`${JSON.stringify(both)} {done}`)).toEqual(both)
    const broken = '{"proposals":[{"target":"memory","op":{"action":"add","content":"one \\" quote\nand } a line"}}]}'
    expect(parsed(broken)).toEqual([{ target: 'memory', op: { action: 'add', content: 'one " quote\nand } a line' } }])
  })

  it.each([
    ['2026-11-28', '2026-11-28'],
    ['  2026-11-28T10:00:00Z', '2026-11-28'],
    ['2026-11-28 at noon', '2026-11-28'],
    ['2026-11-281', undefined],
    ['2026-11-28-1', undefined],
    ['26-11-28', undefined],
    ['on 2026-11-28', undefined],
    ['Friday', undefined],
    [20261128, undefined],
  ])('reads of the time %j the day %j', (given, day) => {
    const op = { action: 'add', content: 'a' }
    const answer = JSON.stringify([{ target: 'memory', op: { ...op, from: given, until: given } }])
    expect(parsed(answer)).toEqual([{ target: 'memory', op: { ...op, ...(day === undefined ? {} : { from: day, until: day }) } }])
  })

  it.each([
    ['a list', `[${JSON.stringify(item('a'))}, {"tar`],
    ['a list behind another', `][${JSON.stringify(item('a'))}, {"tar`],
    ['a list after its comma', `{"proposals": [${JSON.stringify(item('a'))},`],
    ['an envelope with words before the list', `{"note": "x", "proposals": [${JSON.stringify(item('a'))}, {"tar`],
  ])('says that %s has broken off', (_, answer) => {
    const items = parsed(answer)
    expect(items[0]).toEqual(item('a'))
    expect(reasons(items)).toEqual([expect.stringContaining('cut off')])
  })

  it('takes a list that has broken off for one of proposals only if it holds one or is called so', () => {
    expect(code('[{"a":1}, {"b":')).toBe('unparseable')
    expect(parsed(`[{"a":1}, ${JSON.stringify(item('a'))}, {"b":`)).toHaveLength(3)
    expect(reasons(parsed('{"proposals":[{"a":1}, {"b":'))).toEqual([expect.stringContaining('cut off')])
  })

  it.each([
    ['', 'The answer is empty.'],
    [' \n', 'The answer is empty.'],
    ['The weather is fine.', 'The answer holds no JSON object with a "proposals" list.'],
    ['{"proposals":[{"tar', 'The answer broke off before the first complete proposal.'],
  ])('says what is wrong with %j, for the second try', (answer, message) => {
    expect(parseProposals(answer)).toMatchObject({ ok: false, error: { code: 'unparseable', message, details: { answer } } })
  })

  it('keeps 500 characters of an answer that it cannot read, and 2,000 of an item', () => {
    expect(parseProposals('x'.repeat(900))).toMatchObject({ error: { details: { answer: 'x'.repeat(500) } } })
    const [dropped] = parsed(`{"proposals":[{${'x'.repeat(3_000)}}]}`)
    expect(isDropped(dropped) && String(dropped.raw)).toHaveLength(2_000)
  })

  it('believes no long answer that it holds nothing', () => {
    const says = 'Nothing to save. '
    expect(parsed(says.padEnd(1_000, 'x'))).toEqual([])
    expect(code(says.padEnd(1_001, 'x'))).toBe('unparseable')
  })

  it('never saves half an entry, wherever the answer is cut', () => {
    const whole = envelope('alpha', 'beta')
    for (let length = 0; length <= whole.length; length++) {
      const result = parseProposals(whole.slice(0, length))
      if (!result.ok) continue
      for (const entry of result.value.items) if (entry.ok) expect([item('alpha'), item('beta')]).toContainEqual(entry.value)
    }
  })

  it('keeps the good items beside one that is not JSON', () => {
    const items = parsed(`{"proposals": [${JSON.stringify(item('a'))}, {target: memory}, ${JSON.stringify(item('b'))}]}`)
    expect([items[0], items[2]]).toEqual([item('a'), item('b')])
    expect(reasons(items)).toEqual([expect.stringContaining('not valid JSON')])
  })

  it('passes on 20 proposals, and each one after them with its text and why it was left out', () => {
    const items = parsed(envelope(...Array.from({ length: 25 }, (_, index) => `fact ${index}`)))
    expect(items.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, index) => item(`fact ${index}`)))
    expect(items.slice(20).map((left) => isDropped(left) && left.raw)).toEqual([20, 21, 22, 23, 24].map((index) => item(`fact ${index}`)))
    expect(new Set(reasons(items))).toEqual(new Set(['One review considers at most 20 proposals, and this one came after them.']))
    expect(parsed(envelope('a', 'b', 'c'), 2)).toHaveLength(3)
    const many = (count: number) => parsed(envelope(...Array.from({ length: count }, (_, index) => `fact ${index}`)))
    expect(reasons(many(221)).at(-1)).toContain('1 more proposals followed')
    expect([many(220).length, many(300).length]).toEqual([220, 221])
  })

  it('takes nothing for a list if the proposals are none, and keeps what is no object', () => {
    expect(code(JSON.stringify({ note: 'x', proposals: 'none', items: [item('a')] }))).toBe('unparseable')
    expect(parsed(JSON.stringify({ note: 'x', proposals: null, items: [item('a')] }))).toEqual([])
    expect(code('{"proposals":[1,],}')).toBe('unparseable')
    expect(reasons(parsed('{"proposals":[{bad}]}'))).toEqual([expect.stringContaining('not valid JSON')])
    expect(parsed(`[${JSON.stringify(item('a'))}, "note"]`)).toEqual([item('a'), 'note'])
  })

  it('reads line breaks and tabs that are not escaped, and keeps tags and fences', () => {
    const page = '---\nname: deploy\n---\n\n\tRun "it", then \\ wait.\r\nDone.'
    const raw = envelope(page).replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\r', '\r')
    expect(raw).not.toBe(envelope(page))
    expect(parsed(raw)).toEqual([item(page)])
    const tags = 'prints </think> and ```\n[]\n``` too'
    expect(parsed(envelope(tags))).toEqual([item(tags)])
  })

  it('understands other spellings of the keys, and nulls for what is not there', () => {
    const answer = JSON.stringify({
      proposals: [
        {
          target: 'user',
          op: { action: 'replace', old_text: 'a', new_text: 'b' },
          score: 1,
          evidence: [{ message_id: 'm2', quote: 'q' }, { quote: ' ' }],
        },
        { target: 'user', action: 'remove', old_text: 'a', content: null, score: 1, rationale: null, evidence: ['q'] },
      ],
    })
    const items = parsed(answer)
    expect(items).toEqual([
      { target: 'user', op: { action: 'replace', oldText: 'a', content: 'b' }, score: 1, evidence: [{ messageId: 'm2', quote: 'q' }] },
      { target: 'user', op: { action: 'remove', oldText: 'a' }, score: 1, evidence: [{ quote: 'q' }] },
    ])
    for (const entry of items) expect(reviewProposalSchema.safeParse(entry).success).toBe(true)
  })

  it('looks for a list behind 15 other brackets, and no further', () => {
    expect(parsed('{x} '.repeat(15) + envelope('a'))).toEqual([item('a')])
    expect(code('{x} '.repeat(16) + envelope('a'))).toBe('unparseable')
  })

  it('refuses keys that could reach a prototype', () => {
    const items = parsed(
      `{"proposals":[{"__proto__":{"a":1},"target":"memory","op":{"action":"add","content":"x"}},${JSON.stringify(item('b'))}]}`,
    )
    expect(isDropped(items[0])).toBe(true)
    expect(items[1]).toEqual(item('b'))
    expect(code('{"constructor":{"x":1},"proposals":[]}')).toBe('unparseable')
  })

  it('looks at no more than 256,000 characters', () => {
    const items = parsed(`{"proposals":[${JSON.stringify(item('a'))},${JSON.stringify(item('x'.repeat(MAX_ANSWER_CHARS)))}]}`)
    expect(items[0]).toEqual(item('a'))
    expect(reasons(items)).toHaveLength(1)
  })

  it('never throws, whatever comes', () => {
    const noise = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        '"',
        '\\',
        ',',
        ':',
        '```',
        '\n',
        '<think>',
        '</think>',
        '"proposals"',
        envelope('a'),
        'x',
        '__proto__',
      ),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          noise.map((parts) => parts.join('')),
        ),
        (answer) => void parseProposals(answer),
      ),
      { numRuns: rounds(1_000), seed: 7 },
    )
  })

  it('stays quick on hostile answers', () => {
    for (const part of ['[', '{', '{"a":', '[{', '"', '```\n', '<think>', '</think>', '{"proposals":[', '\\', '{"a":"b",', 'nothing ']) {
      parseProposals(part.repeat(rounds(MAX_ANSWER_CHARS / part.length)))
    }
  })
})

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
    const evidence = [{ quote: 'q', ...(messageId === undefined ? {} : { messageId }) }]
    for (const each of [
      { messageId: id, quote: 'q' },
      { message_id: id, text: 'q' },
      { id, quote: 'q' },
    ])
      expect(read({ target: 'memory', evidence: [each] })).toStrictEqual({ target: 'memory', op: {}, evidence })
  })

  it('loses no more than the evidence that cannot be read', () => {
    const evidenceOf = (evidence: unknown) => (read({ target: 'memory', evidence }) as { evidence?: unknown }).evidence
    expect(evidenceOf([{ messageId: [3], quote: 'q' }, 'r', null, { quote: ' ' }, { messageId: 'm1' }])).toStrictEqual([{ quote: 'r' }])
    expect(evidenceOf({ quote: 'q' })).toStrictEqual([{ quote: 'q' }])
    expect(evidenceOf(null)).toBeUndefined()
    expect(evidenceOf(Array.from({ length: 30 }, (_, index) => `q${index}`))).toHaveLength(20)
  })

  it('stays as it is where it has another shape', () => {
    for (const item of [null, 'prose', 7, [{ target: 'memory' }]]) expect(read(item)).toEqual(item)
    for (const item of [
      { target: 7, op: { action: 8 } },
      { target: 'skill', op: { action: 8 } },
      { target: 'skill', op: { name: 'x' } },
    ])
      expect(read(item)).toStrictEqual(item)
    expect(read({ target: 'skill', op: { name: 'x', category: null } })).toStrictEqual({ target: 'skill', op: { name: 'x' } })
    expect([{ op: 1 }, { action: 1 }, { target: 1 }, [], null].map(isProposalLike)).toEqual([true, true, false, false, false])
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
