/** What a terminal sends, apart: keys, and text that was pasted or that breaks a line, which must not count as Enter. */

const ESC = '\u001b'

/** A terminal sends these around a paste, if it is asked to (`PASTE_ON`). */
const START = '\u001b[200~'
const END = '\u001b[201~'
export const PASTE_ON = '\u001b[?2004h'
export const PASTE_OFF = '\u001b[?2004l'

export interface KeyPart {
  /** `text`: to be inserted as it is, whatever it contains. */
  readonly kind: 'keys' | 'text'
  readonly text: string
}

const ALT_ENTER = '\u001b\r'

/** The first characters of `START` at the end of a chunk. A single Esc is a key of its own. */
const begunIn = (chunk: string): string => {
  const at = chunk.lastIndexOf('\u001b[')
  const end = at < 0 ? '' : chunk.slice(at)
  return START.startsWith(end) ? end : ''
}

const keysIn = (text: string): readonly KeyPart[] =>
  text
    .split(ALT_ENTER)
    .flatMap((text, index): readonly KeyPart[] => [...(index === 0 ? [] : [{ kind: 'text', text: '\n' } as const]), { kind: 'keys', text }])

/** The returned function is called with each chunk in order; a chunk may end anywhere. */
export const createKeyReader = () => {
  let held = ''
  let isPasting = false
  return (chunk: string): readonly KeyPart[] => {
    const parts: KeyPart[] = []
    let rest = held + chunk
    held = ''
    while (rest !== '') {
      const at = rest.indexOf(isPasting ? END : START)
      if (at < 0) break
      const before = rest.slice(0, at)
      if (isPasting) parts.push({ kind: 'text', text: before.replace(/\r\n?/g, '\n').replace(/\n+$/, '') })
      else parts.push(...keysIn(before))
      rest = rest.slice(at + START.length)
      isPasting = !isPasting
    }
    if (isPasting) held = rest
    else {
      held = begunIn(rest)
      parts.push(...keysIn(rest.slice(0, rest.length - held.length)))
    }
    return parts.filter(({ text }) => text !== '')
  }
}

/** Characters each, and sequences such as an arrow key whole. */
export const singleKeys = (keys: string): readonly string[] => {
  const [plain = '', ...sequences] = keys.split(ESC)
  return [...plain, ...sequences.map((sequence) => ESC + sequence)]
}

/** Stand for a line break and a tab in the line editor, which has one line. */
const MARKS = { '\n': '␤', '\t': '␉' } as const

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const OTHER_CONTROL = /[\u0000-\u001f\u007f-\u009f]/g

/** For the line editor. Other control characters are left out, so that nothing pasted acts as a key. */
export const toEditorLine = (text: string): string =>
  text.replaceAll('\n', MARKS['\n']).replaceAll('\t', MARKS['\t']).replace(OTHER_CONTROL, '')

/** What the line stands for. */
export const fromEditorLine = (line: string): string => line.replaceAll(MARKS['\n'], '\n').replaceAll(MARKS['\t'], '\t')
