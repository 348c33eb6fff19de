/** Changes a JSON file of a person, mostly its lists: comments, order and layout of the rest stay. */
import { asList, asRecord } from '@hermes/core/adapter'
import { applyEdits, findNodeAtLocation, getNodeValue, type JSONPath, modify, type ParseError, parseTree } from 'jsonc-parser'

/** What is there. Throws if the text is no JSON, or if something above it is no object. */
export const valueAt = (text: string, path: JSONPath, file: string): unknown => {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  if (!root || errors.length > 0) throw new Error(`'${file}' is not JSON, so nothing was changed. Correct it first.`)
  for (let depth = 0; depth < path.length; depth++) {
    const node = depth === 0 ? root : findNodeAtLocation(root, path.slice(0, depth))
    if (node && node.type !== 'object') throw new Error(notA('an object', path.slice(0, depth), file))
  }
  const node = findNodeAtLocation(root, path)
  return node && getNodeValue(node)
}

const notA = (kind: string, path: JSONPath, file: string): string =>
  `${path.length === 0 ? 'The text' : `'${path.join('.')}'`} in '${file}' is not ${kind}, so nothing was changed. Correct it first.`

/** What is in a list, by its path. Throws as `valueAt` does, and if something else than a list is there. */
export const listIn = (text: string, list: JSONPath, file: string): readonly unknown[] => {
  const value = valueAt(text, list, file)
  if (value !== undefined && !Array.isArray(value)) throw new Error(notA('a list', list, file))
  return asList(value)
}

const edited = (text: string, path: JSONPath, value: unknown, isArrayInsertion = false): string => {
  const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
  // What is on one line stays so: laying it out would change what others have written.
  if (!text.trim().includes('\n') && text.trim() !== '{}') return applyEdits(text, modify(text, path, value, { isArrayInsertion }))
  const formattingOptions = {
    insertSpaces: !indent.includes('\t'),
    tabSize: indent.includes('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
  return applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion }))
}

export const addToList = (text: string, list: JSONPath, values: readonly unknown[], file: string): string => {
  const there = listIn(text, list, file).length
  if (values.length === 0) return text
  if (there === 0) return edited(text, list, values)
  return values.reduce<string>((now, value, index) => edited(now, [...list, there + index], value, true), text)
}

export const setValue = (text: string, path: JSONPath, value: unknown): string => edited(text, path, value)

/** Objects of which nothing is left then go too. */
export const removeValue = (text: string, path: JSONPath, file: string): string => {
  const rest = edited(text, path, undefined)
  const above = path.slice(0, -1)
  return above.length > 0 && Object.keys(asRecord(valueAt(rest, above, file))).length === 0 ? removeValue(rest, above, file) : rest
}

/** A list of which nothing is left goes. */
export const removeFromList = (text: string, list: JSONPath, isOurs: (value: unknown) => boolean, file: string): string => {
  const values = listIn(text, list, file)
  const ours = values.flatMap((value, index) => (isOurs(value) ? [index] : []))
  if (ours.length === 0) return text
  if (ours.length === values.length) return removeValue(text, list, file)
  return ours.toReversed().reduce((now, index) => edited(now, [...list, index], undefined), text)
}
