/** The readable text of an HTML page. */
import { Parser } from 'htmlparser2'
import { formatCount } from '../terminal/format.ts'

const UNREAD: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'object',
  'nav',
  'form',
  'select',
  'button',
])
const BLOCKS =
  /^(?:address|article|aside|blockquote|body|br|dd|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|li|main|ol|p|pre|section|table|td|th|title|tr|ul)$/

/** Elements that a page hides from its readers, where it would speak to programs alone. */
const isHidden = (attributes: Readonly<Record<string, string>>): boolean =>
  'hidden' in attributes ||
  attributes['aria-hidden'] === 'true' ||
  /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes['style'] ?? '')

const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/

/** The parser takes time that grows with the square of it. */
const MOST_LEVELS = 1_000

/** Throws if elements are nested too deep. */
export const toPlainText = (html: string): string => {
  const parts: string[] = []
  const open: boolean[] = []
  let unread = 0
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (BLOCKS.test(name)) parts.push('\n')
        if (name === 'li') parts.push('- ')
        if (VOID.test(name)) return
        const skips = UNREAD.has(name) || isHidden(attributes)
        open.push(skips)
        if (open.length > MOST_LEVELS) throw new Error(`its elements are more than ${formatCount(MOST_LEVELS)} deep`)
        if (skips) unread += 1
      },
      onclosetag: (name) => {
        if (VOID.test(name)) return
        if (open.pop()) unread -= 1
        if (BLOCKS.test(name)) parts.push('\n')
      },
      ontext: (text) => {
        if (unread === 0) parts.push(text.replace(/\s+/g, ' '))
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
  return parts
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== '-')
    .join('\n')
}
