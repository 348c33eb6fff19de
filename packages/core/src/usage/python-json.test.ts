import { expect, it } from 'vitest'
import { parsePythonJson, toPythonJson } from './python-json.ts'

it('writes what Python writes: sorted by code point, non-ASCII kept, no final newline', () => {
  const data = new Map<string, unknown>([
    ['🚀', {}],
    ['\uffee', []],
    ['10', { b: [1, 'é\n"'], a: null }],
    ['9', true],
    ['__proto__', {}],
  ])
  expect(toPythonJson(data)).toBe(
    '{\n  "10": {\n    "a": null,\n    "b": [\n      1,\n      "é\\n\\""\n    ]\n  },\n  "9": true,\n  "__proto__": {},\n  "\uffee": [],\n  "🚀": {}\n}',
  )
})

it('keeps numbers as they are written, and the key __proto__ as a key', () => {
  const text = '{\n  "__proto__": {\n    "a": 1.0,\n    "b": 12345678901234567890,\n    "c": 1e5,\n    "d": 7\n  }\n}'
  expect(toPythonJson(parsePythonJson(text))).toBe(text)
})

it.each(['1.0', '-0', '1e5', '-1E-5', '12345678901234567890'])('keeps %s in every place if a number is allowed', (number) => {
  for (const text of [`{"a":${number}}`, `{"a" : ${number}}`, `{"a": [${number}]}`, `{"a": [1,\n ${number}]}`, `{"a": [[], ${number}]}`]) {
    expect(toPythonJson(parsePythonJson(text)), text).toContain(number)
  }
})

it('takes no object of the text for a number, however its keys are spelled', () => {
  const text =
    '{ "a": 1.0, "b": { "number": "2" }, "c": { "\\u006eumber_": "}, 3" }, "d": "1.0 \\" 2.0", "e": [1e3, -0, 12345678901234567890] }'
  const written = toPythonJson(parsePythonJson(text))
  expect(written).toContain('"a": 1.0')
  expect(written).toContain('12345678901234567890')
  expect(JSON.parse(written)).toEqual(JSON.parse(text))
})
