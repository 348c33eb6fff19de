/** Gives a replacement the indent of the lines it replaces, if the quoted text was indented differently from the file. */
import { stripWhiteSpace } from '../../shared/white-space.ts'

const INDENT = /^[ \t\u00a0\u2000-\u200a\u202f\u205f\u3000]*/

const indentOf = (line: string): string => INDENT.exec(line)?.[0] ?? ''

interface LinePair {
  readonly quoted: string
  readonly inFile: string
}

const isBlank = (line: string): boolean => stripWhiteSpace(line) === ''

/**
 * Prepares for one quoted text, found at any number of regions with the same number of lines. Each new line gets the indent of the file
 * where the quoted text has the new line's indent: at the same line if both texts have the same number of lines, otherwise at the first
 * such line. For a deeper or unknown indent, the difference to the first quoted line is kept.
 */
export const adoptIndentOf = (quoted: string): ((region: string, newText: string) => string) => {
  const quotedIndents = quoted.split('\n').map((line) => (isBlank(line) ? undefined : indentOf(line)))
  return (region, newText) => {
    const regionLines = region.split('\n')
    const pairs = quotedIndents.map((indent, index): LinePair | undefined => {
      const line = regionLines[index] ?? ''
      return indent === undefined || isBlank(line) ? undefined : { quoted: indent, inFile: indentOf(line) }
    })
    const base = pairs.find((pair) => pair !== undefined)
    if (!base) return newText
    const known = new Map<string, string>()
    for (const pair of pairs) if (pair && !known.has(pair.quoted)) known.set(pair.quoted, pair.inFile)
    const newLines = newText.split('\n')
    const indentFor = (indent: string, index: number): string => {
      const sameLine = newLines.length === pairs.length ? pairs[index] : undefined
      const adopted = sameLine?.quoted === indent ? sameLine.inFile : known.get(indent)
      if (adopted !== undefined) return adopted
      if (base.quoted === base.inFile) return indent
      return indent.startsWith(base.quoted) ? base.inFile + indent.slice(base.quoted.length) : base.inFile
    }
    const adopt = (line: string, index: number): string => {
      const indent = indentOf(line)
      return isBlank(line) ? line : indentFor(indent, index) + line.slice(indent.length)
    }
    return newLines.map(adopt).join('\n')
  }
}
