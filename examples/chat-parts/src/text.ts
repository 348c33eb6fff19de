/** Text for a terminal: without control characters, on one line, counted, or wrapped at words. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** So that a model or a memory entry cannot steer the terminal. Line breaks stay; a tab becomes two spaces. */
export const cleanText = (text: string): string => text.replace(CONTROL, '').replaceAll('\t', '  ')

/** On one line, cut to `length` characters. */
export const oneLine = (text: string, length = Number.POSITIVE_INFINITY): string => {
  const line = cleanText(text).replace(/\s+/g, ' ').trim()
  return [...line].length <= length ? line : `${[...line].slice(0, Math.max(1, length - 1)).join('')}…`
}

/** `1 turn`, `2 turns`. */
export const counted = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** `2026-11-21 23:05`, in UTC. `at`: epoch milliseconds. */
export const minute = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')

/** How full a store is: `memory ▓▓░░░░░░░░ 12% 264/2,200`. Any use shows at least one cell; a full bar means full. */
export const gauge = (label: string, used: number, limit: number): string => {
  const percent = limit <= 0 ? 0 : Math.min(100, Math.trunc((used / limit) * 100))
  const filled = used === 0 ? 0 : Math.max(1, Math.floor(percent / 10))
  const bar = '▓'.repeat(filled) + '░'.repeat(10 - filled)
  return `${label} ${bar} ${percent}% ${used.toLocaleString('en-US')}/${limit.toLocaleString('en-US')}`
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu
const NO_WIDTH = /\p{Mn}|\p{Cf}|\u{fe0f}/gu

/** In cells of a terminal. */
const width = (text: string): number => {
  const shown = text.replace(NO_WIDTH, '')
  return [...shown].length + (shown.match(WIDE)?.length ?? 0)
}

/** Chinese and Japanese have no spaces: a line may end after each character, but for what must not begin the next one. */
const PARTS =
  /\n| *[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][、。，．！？」』）】〉》：；ー…]*| *[^ \n\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+| +/gu

/**
 * Wraps text that streams in: `push` returns what can be shown now and keeps the word that is still coming, `end` returns that word. Line breaks and
 * indents of the text are kept. With infinite `columns` nothing is wrapped. `indent`: width of what the caller puts before each later line.
 */
export const createWordWrap = (columns: number, indent = 0) => {
  let [start, column, held] = [0, 0, '']
  /** `part`: a line break, or a word with the spaces before it. */
  const put = (part: string): string => {
    const word = part.trimStart()
    const breaks = part === '\n' || (word !== '' && column > start && column + width(part) > columns)
    if (breaks) start = indent
    column = breaks ? start + width(word) : column + width(part)
    return breaks ? `\n${word}` : word && part
  }
  return {
    push: (text: string): string => {
      const parts = (held + text).match(PARTS) ?? []
      held = parts.at(-1) === '\n' ? '' : (parts.pop() ?? '')
      return parts.map(put).join('')
    },
    end: (): string => {
      const shown = put(held)
      held = ''
      return shown
    },
    /** Cells in use on the current line, without the word that is still coming. */
    column: (): number => column,
  }
}

/** Whole lines. All but the first are indented; what one of these is indented by itself, its continuation is too. */
export const wrapText = (text: string, columns: number, indent = ''): string =>
  text
    .split('\n')
    .map((line, index) => {
      const hang = index === 0 ? indent : indent + (/^ */.exec(line)?.[0] ?? '')
      const wrap = createWordWrap(columns, width(hang))
      return (wrap.push(index === 0 ? line : indent + line) + wrap.end()).replaceAll('\n', `\n${hang}`)
    })
    .join('\n')

/** The lines that differ: without those at the start and at the end that are the same in both texts. */
export const changedLines = (before: string, after: string): { readonly gone: readonly string[]; readonly come: readonly string[] } => {
  const [old, next] = [before.split('\n'), after.split('\n')]
  const most = Math.min(old.length, next.length)
  let same = 0
  while (same < most && old[same] === next[same]) same++
  let sameAtEnd = 0
  while (sameAtEnd < most - same && old.at(-1 - sameAtEnd) === next.at(-1 - sameAtEnd)) sameAtEnd++
  return { gone: old.slice(same, old.length - sameAtEnd), come: next.slice(same, next.length - sameAtEnd) }
}
