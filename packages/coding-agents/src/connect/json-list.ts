/** Adds to lists in a JSON file of a person and removes from them: comments, order and layout of the rest stay. */
import { asList } from '@hermes/core/adapter'
import { applyEdits, findNodeAtLocation, getNodeValue, type JSONPath, modify, type ParseError, parseTree } from 'jsonc-parser'

/** What is there, by the path of the list. Throws if the text is no JSON, or something else than a list is there. */
export const listIn = (text: string, list: JSONPath, file: string): readonly unknown[] => {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  if (!root || errors.length > 0) throw new Error(`'${file}' is not JSON, so nothing was changed. Correct it first.`)
  for (let depth = 0; depth <= list.length; depth++) {
    const node = depth === 0 ? root : findNodeAtLocation(root, list.slice(0, depth))
    const expected = depth === list.length ? 'array' : 'object'
    if (node && node.type !== expected)
      throw new Error(
        `${depth === 0 ? 'The text' : `'${list.slice(0, depth).join('.')}'`} in '${file}' is not ${expected === 'array' ? 'a list' : 'an object'}, so nothing was changed. Correct it first.`,
      )
    if (node && depth === list.length) return asList(getNodeValue(node))
  }
  return []
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

/** A list of which nothing is left goes. */
export const removeFromList = (text: string, list: JSONPath, isOurs: (value: unknown) => boolean, file: string): string => {
  const values = listIn(text, list, file)
  const ours = values.flatMap((value, index) => (isOurs(value) ? [index] : []))
  if (ours.length === 0) return text
  if (ours.length === values.length) return edited(text, list, undefined)
  return ours.toReversed().reduce((now, index) => edited(now, [...list, index], undefined), text)
}
