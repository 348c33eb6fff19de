/** Finds JSON values inside other text, without parsing them: where brackets balance, strings respected. Linear for each start. */

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/** The index behind the value that opens at `start`; undefined where it never closes, or closes with the wrong bracket. */
export const endOfValue = (text: string, start: number): number | undefined => {
  const open: string[] = []
  let inString = false
  for (let at = start; at < text.length; at++) {
    const character = text[at] as string
    if (inString) {
      if (character === '\\') at++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character in closers) open.push(closers[character] as string)
    else if (character === '}' || character === ']') {
      if (open.pop() !== character) return undefined
      if (open.length === 0) return at + 1
    }
  }
  return undefined
}

/** The next opening bracket from `from` on, or -1. */
export const nextOpening = (text: string, from: number): number => {
  const object = text.indexOf('{', from)
  const list = text.indexOf('[', from)
  return object < 0 ? list : list < 0 ? object : Math.min(object, list)
}

export interface ScannedItems {
  /** The text of each complete object. */
  readonly items: readonly string[]
  /** True when the list breaks off before its end. */
  readonly truncated: boolean
}

/** The objects directly inside the list that opens at `start`, even where the list itself never closes. */
export const scanListItems = (text: string, start: number): ScannedItems => {
  const items: string[] = []
  let at = start + 1
  while (at < text.length) {
    const character = text[at] as string
    if (character === ']') return { items, truncated: false }
    if (character === '{') {
      const end = endOfValue(text, at)
      if (end === undefined) return { items, truncated: true }
      items.push(text.slice(at, end))
      at = end
    } else at++
  }
  return { items, truncated: true }
}

const controls: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Line breaks and tabs that stand inside strings as they are, which JSON forbids and models write in long texts, as the escapes they stand for. */
export const escapeControls = (text: string): string => {
  const parts: string[] = []
  let inString = false
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (inString && character === '\\') at++
    else if (character === '"') inString = !inString
    else if (inString && character in controls) {
      parts.push(text.slice(from, at), controls[character] as string)
      from = at + 1
    }
  }
  return parts.length === 0 ? text : `${parts.join('')}${text.slice(from)}`
}
