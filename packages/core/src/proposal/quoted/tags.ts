/** Pairs of tags whose name says that they hold a text: `<blockquote>`, `<document>`, `<email>` and the like. */
import type { Mark } from './fences.ts'

const NAMES =
  'blockquote|quote|cite|documents?|document_?contents?|doc|article|e-?mails?|mail|message|messages|thread|chat|conversation|transcript|page|web_?page|web_?site|website_?content|attachment|file|file_?contents?|pasted(?:_?text)?|excerpt|passage|review|comment|tweet|post|source|search_?results?|results?|tool_?results?|untrusted(?:_?\\w{1,12})?|external(?:_?\\w{1,12})?|html|body'

const tag = new RegExp(`<(/?)(?:${NAMES})(?:\\s[^<>\\n]{0,200})?>`, 'gi')
const anyTag = /<[^<>\n]{0,220}>/g

const beginsText = /(?:^|[\n:：])[ \t]{0,20}$/
/** Behind a line break or a colon; within a line, tags are also named. */
const MIN_CHARS = 12
const MIN_CHARS_INSIDE = 80

const READ_CHARS = 1_000

/** All such tags, from the first that is opened to the last that is closed; none if no text is between them. */
export const tagsIn = (text: string): readonly Mark[] => {
  if (!text.includes('</')) return []
  const marks = [...text.matchAll(tag)].map(({ index, 0: found, 1: slash }) => ({
    start: index,
    end: index + found.length,
    kind: 'tags',
    closes: slash === '/',
  }))
  const first = marks.findIndex(({ closes }) => !closes)
  const last = marks.findLastIndex(({ closes }) => closes)
  const [opened, closed] = [marks[first], marks[last]]
  if (!opened || !closed || closed.start < opened.end) return []
  const content = text
    .slice(opened.end, Math.min(closed.start, opened.end + READ_CHARS))
    .replace(anyTag, '')
    .trim()
  const begins = beginsText.test(text.slice(Math.max(0, opened.start - 21), opened.start))
  return content.length < (begins ? MIN_CHARS : MIN_CHARS_INSIDE) ? [] : marks.slice(first, last + 1)
}
