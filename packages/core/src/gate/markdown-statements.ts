/** Reads a skill's Markdown as statements in order: sentences, lines of code, rows of tables and headings, each with what governs it. Pure. */
import { sentencesOf } from '../text/sentences.ts'
import { keyOf, type Statement, type TokenCache, tokensOfSentence } from './statement.ts'

const fenceLine = /^( *)(`{3,}|~{3,})\s*(.*)$/
const headingLine = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/
const boldLine = /^\s*(\*\*|__)([^*_]+)\1:?\s*$/
const itemLine = /^(\s*)([-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/
const rowLine = /^\s*\|/
const ruleLine = /^\s*(?:[-*_=]\s*){3,}$|^\s*\|?[\s:|-]+\|?\s*$/
const language = /^[\p{L}\p{N}_+#.-]{0,12}$/u
/** Below all headings. */
const BOLD_LEVEL = 7
const endsOpen = /[:：]\s*[*_]*$/
const comment = /(<!--)|(-->)/

interface Open {
  readonly kind: 'paragraph' | 'item'
  readonly line: number
  readonly indent: number
  readonly lead: Statement | undefined
  readonly sequence: object | undefined
  text: string
}

interface Item {
  readonly indent: number
  readonly ordered: boolean
  readonly sequence: object | undefined
  readonly lead: Statement | undefined
  last: Statement | undefined
}

interface Fence {
  readonly mark: string
  readonly indent: number
  readonly lead: Statement | undefined
  readonly warning: Statement | undefined
  readonly sequence: object
}

class Reader {
  readonly statements: Statement[] = []
  readonly #cache: TokenCache
  #headings: { readonly level: number; readonly statement: Statement }[] = []
  #items: Item[] = []
  #open: Open | undefined
  /** The last sentence before, of a paragraph. */
  #before: Statement | undefined
  /** The first row of the table. */
  #header: string | undefined
  #hidden = false
  #fence: Fence | undefined

  constructor(cache: TokenCache) {
    this.#cache = cache
  }

  #add(
    kind: Statement['kind'],
    text: string,
    line: number,
    more: Partial<Pick<Statement, 'lead' | 'sequence' | 'warning'>> = {},
  ): Statement {
    const tokens = kind === 'code' || kind === 'row' ? [] : tokensOfSentence(text, this.#cache)
    const headings = this.#headings.map(({ statement }) => statement).reverse()
    const statement: Statement = {
      kind,
      text,
      line,
      tokens,
      key: tokens.length > 0 ? keyOf(tokens) : kind === 'code' || kind === 'row' ? `${kind} ${text}` : '',
      hidden: this.#hidden,
      headings: headings.map(({ key }) => key),
      turnedBy: headings.flatMap((heading) => heading.tokens).filter(({ turns }) => turns).length,
      lead: more.lead,
      warning: more.warning,
      sequence: more.sequence,
    }
    this.statements.push(statement)
    return statement
  }

  #flush(): void {
    const open = this.#open
    this.#open = undefined
    if (!open) return
    const { lead, sequence } = open
    let last: Statement | undefined
    for (const sentence of sentencesOf(open.text)) {
      const added = this.#add('prose', sentence, open.line, { lead, sequence })
      if (added.key !== '') last = added
    }
    if (open.kind === 'item') {
      const item = this.#items.at(-1)
      if (item) item.last = last
    } else this.#before = last
  }

  #heading(level: number, text: string, line: number): void {
    this.#flush()
    this.#items = []
    this.#before = undefined
    this.#headings = this.#headings.filter((heading) => heading.level < level)
    const statement = this.#add('heading', text, line)
    this.#headings.push({ level, statement })
  }

  #introduction(): Statement | undefined {
    return this.#before && endsOpen.test(this.#before.text) ? this.#before : undefined
  }

  #item(indent: number, ordered: boolean, text: string, line: number): void {
    this.#flush()
    while ((this.#items.at(-1)?.indent ?? -1) > indent) this.#items.pop()
    const before = this.#items.at(-1)?.indent === indent ? this.#items.pop() : undefined
    const sibling = before?.ordered === ordered ? before : undefined
    const parent = this.#items.at(-1)
    const lead = parent ? parent.last : sibling ? sibling.lead : this.#introduction()
    const sequence = ordered ? (sibling?.sequence ?? {}) : undefined
    // It introduces one list.
    this.#before = undefined
    this.#items.push({ indent, ordered, sequence, lead, last: undefined })
    this.#open = { kind: 'item', line, indent, lead, sequence, text }
  }

  #codeLine(raw: string, line: number, fence: Fence): void {
    const text = raw.replace(new RegExp(`^ {0,${fence.indent}}`), '').trimEnd()
    if (text.trim() !== '') this.#add('code', text, line, fence)
  }

  /** A line outside of code and comments. */
  #visible(raw: string, line: number): void {
    const text = raw.replace(/^(?:\s*>)+\s?/, '')
    if (!rowLine.test(text)) this.#header = undefined
    if (text.trim() === '') {
      this.#flush()
      return
    }
    const fence = fenceLine.exec(text)
    if (fence) this.#openFence(fence, line)
    else this.#markedLine(text, line)
  }

  #markedLine(text: string, line: number): void {
    const heading = headingLine.exec(text)
    const bold = this.#open ? null : boldLine.exec(text)
    const isRow = rowLine.test(text)
    const item = itemLine.exec(text)
    if (heading) this.#heading(heading[1]?.length ?? 0, heading[2] ?? '', line)
    else if (bold) this.#heading(BOLD_LEVEL, bold[2] ?? '', line)
    else if (ruleLine.test(text) && isRow) return
    else if (ruleLine.test(text)) this.#flush()
    else if (isRow) this.#row(text, line)
    else if (item) this.#item(item[1]?.length ?? 0, /\d/.test(item[2] ?? ''), item[3] ?? '', line)
    else this.#text(text, line)
  }

  #text(text: string, line: number): void {
    if (this.#open) {
      this.#open.text += ` ${text.trim()}`
      return
    }
    const indent = text.length - text.trimStart().length
    while (this.#items.length > 0 && (this.#items.at(-1)?.indent ?? 0) >= indent) this.#items.pop()
    const lead = this.#items.at(-1)?.last
    this.#open = { kind: 'paragraph', line, indent, lead, sequence: undefined, text: text.trim() }
  }

  #row(text: string, line: number): void {
    this.#flush()
    const row = text.trim().replace(/\s*\|\s*/g, '|')
    this.#header ??= row
    this.#add('row', `${this.#header}\n${row}`, line, { lead: this.#introduction() })
  }

  #openFence([, indent = '', mark = '', info = '']: RegExpExecArray, line: number): void {
    this.#flush()
    const item = this.#items.at(-1)
    const before = item && indent.length > item.indent ? item.last : this.#before
    const introduces = before !== undefined && endsOpen.test(before.text)
    const lead = introduces ? before : undefined
    const warning = before?.tokens.some(({ turns }) => turns) ? before : undefined
    this.#fence = { mark, indent: indent.length, lead, warning, sequence: {} }
    if (!language.test(info)) this.#add('prose', info, line)
  }

  #comment(text: string, line: number): void {
    this.#flush()
    this.#hidden = true
    for (const sentence of sentencesOf(text)) this.#add('prose', sentence, line)
    this.#hidden = false
  }

  read(text: string, first: number): readonly Statement[] {
    let inComment = false
    for (const [index, raw] of text.split(/\r\n|[\n\r\u0085\u2028\u2029]/).entries()) {
      const line = first + index
      const fence = this.#fence
      if (fence) {
        const closes = fenceLine.exec(raw)
        if (closes?.[2]?.startsWith(fence.mark) && closes[3] === '') this.#fence = undefined
        else this.#codeLine(raw, line, fence)
        continue
      }
      if (!inComment && !comment.test(raw)) {
        this.#visible(raw, line)
        continue
      }
      for (let rest = raw; rest !== ''; ) {
        const mark = (inComment ? /-->/ : /<!--/).exec(rest)
        const part = mark ? rest.slice(0, mark.index) : rest
        if (inComment) this.#comment(part, line)
        else if (part.trim() !== '') this.#visible(part, line)
        rest = mark ? rest.slice(mark.index + mark[0].length) : ''
        if (mark) inComment = !inComment
      }
    }
    this.#flush()
    return this.statements
  }
}

/** `first`: the number of the text's first line. */
export const statementsOfMarkdown = (text: string, cache: TokenCache, first = 1): readonly Statement[] =>
  new Reader(cache).read(text, first)
