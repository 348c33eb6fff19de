/** The forms in which mail, chat and documents of others are copied into a message. */
import { readLines } from '../../read-lines.ts'

/** What mail programs write above a copied mail, and what somebody else wrote. */
interface MailLanguage {
  readonly name: string
  /** The user's own words, above what is copied. */
  readonly lead: string
  /** Three sentences of somebody else. */
  readonly said: readonly [string, string, string]
  /** Sender, time, recipient, subject. */
  readonly labels: readonly [string, string, string, string]
  /** Of Gmail, and of another program. `<>` is where the address stands, `/` where the first is wrapped. */
  readonly wrote: readonly [string, string]
  /** Of Gmail, Apple Mail and Outlook. */
  readonly forwarded: readonly [string, string, string]
  readonly date: string
}

const MAIL_LANGUAGES = readLines<MailLanguage>(new URL('mail-languages.jsonl', import.meta.url))

/** Which structure shows that the text is copied. */
export type Group =
  | 'attribution'
  | 'mail headers'
  | 'forwarding line'
  | 'chat'
  | 'quote marks'
  | 'bars'
  | 'tags'
  | 'quotations'
  | 'indented'
  | 'fences'
  | 'none'

export interface PastedCase {
  readonly group: Group
  readonly form: string
  readonly language: string
  readonly text: string
  /** Lines of others: none may be among the own words. */
  readonly foreign: readonly string[]
  /** What is left of the user's, if the form ends before the message does. */
  readonly own: readonly string[]
}

interface Content {
  readonly text: string
  readonly language: MailLanguage
}

/** Of one sentence, of several, of paragraphs with a list, of a mail that quotes in turn. */
const contentsIn = (language: MailLanguage): readonly Content[] =>
  [
    language.said[0],
    language.said.join(' '),
    `Hello Kim,\n\n${language.said[0]} ${language.said[1]}\n\n- ${language.said[2]}\n\nEve Brim`,
    `${language.said[1]}\n${language.said[0]}`,
  ].map((text) => ({ text, language }))

type Form = (content: Content) => string

const lines = (text: string, mark: string) =>
  text
    .split('\n')
    .map((line) => `${mark}${line}`)
    .join('\n')
const oneLine = (text: string) => text.replace(/\s*\n\s*/g, ' ')
const headers = ({ labels: [from, sent, to, subject], date }: MailLanguage): readonly (readonly [string, string])[] => [
  [from, 'Eve Brim <eve@brimco.example>'],
  [sent, date],
  [to, 'Kim Park'],
  [subject, 'Brimco'],
]
const headed =
  (put: (label: string, value: string) => string, between = '\n'): Form =>
  ({ text, language }) =>
    `${headers(language)
      .map(([label, value]) => put(label, value))
      .join(between)}\n\n${text}`
const ruled =
  (rule: string, which: 0 | 2): Form =>
  ({ text, language }) =>
    `${rule} ${language.forwarded[which]} ${rule}\n\n${text}`
/** The message of Eve between two of others. */
const talk =
  (put: (name: string, minute: string, text: string) => string, between = '\n'): Form =>
  ({ text }) =>
    [put('Bo Lind', '07', 'ok'), put('Eve Brim', '12', text), put('Bo Lind', '13', 'hm')].join(between)
const single =
  (put: (text: string) => string): Form =>
  ({ text }) =>
    put(text)

/** These end before the message does. */
const CLOSED: ReadonlySet<Group> = new Set(['quote marks', 'bars', 'tags', 'quotations', 'indented', 'fences', 'none'])

export const FORMS: Readonly<Record<Group, Readonly<Record<string, Form>>>> = {
  attribution: {
    'Gmail, unquoted': ({ text, language }) => `${language.wrote[0].replace('/', ' ')}\n\n${text}`,
    'Gmail, quoted': ({ text, language }) => `${language.wrote[0].replace('/', ' ')}\n\n${lines(text, '> ')}\n\n${language.said[1]}`,
    'Gmail, wrapped': ({ text, language }) => `${language.wrote[0].replace('/', '\n')}\n\n${text}`,
    'other program': ({ text, language }) => `${language.wrote[1]}\n${text}`,
    'other program, behind dashes': ({ text, language }) => `--- ${language.wrote[1]}\n${text}`,
    'in the line of the mail': ({ text, language }) => `${language.wrote[0].replace('/', ' ')} ${oneLine(text)}`,
  },
  'mail headers': {
    plain: headed((label, value) => `${label}: ${value}`),
    'with tabs': headed((label, value) => `${label}:\t${value}`),
    'with tabs, no colons': headed((label, value) => `${label}\t${value}`),
    bulleted: headed((label, value) => `- ${label}: ${value}`),
    'with dots': headed((label, value) => `• ${label}: ${value}`),
    bold: headed((label, value) => `**${label}:** ${value}`),
    'in lower case': headed((label, value) => `${label.toLowerCase()}: ${value}`),
    'rows of a table': headed((label, value) => `| ${label} | ${value} |`),
    'columns of a table': ({ text, language }) =>
      `| ${headers(language)
        .map(([label]) => label)
        .join(' | ')} |\n|---|---|---|---|\n| ${headers(language)
        .map(([, value]) => value)
        .join(' | ')} |\n\n${text}`,
    'value below': headed((label, value) => `${label}:\n${value}`),
    'value below, with blank lines': headed((label, value) => `${label}:\n\n${value}`, '\n\n'),
    'in one line': headed((label, value) => `${label}: ${value}`, ' '),
    'in one line, with semicolons': headed((label, value) => `${label}: ${value}`, '; '),
    'below a rule': (content) => `________________________________\n${headed((label, value) => `${label}: ${value}`)(content)}`,
    'wide colons': headed((label, value) => `${label}：${value}`),
    'name without address': ({ text, language: { labels, date } }) =>
      `${labels[0]}: Eve Brim\n${labels[1]}: ${date}\n${labels[3]}: Brimco\n\n${text}`,
  },
  'forwarding line': {
    dashes: ruled('----------', 0),
    'equal signs': ruled('=====', 0),
    underscores: ruled('____', 0),
    asterisks: ruled('***', 0),
    'box drawing': ruled('━━━━━', 0),
    'original message': ruled('-----', 2),
    'original message, equal signs': ruled('=====', 2),
    'Apple Mail': ({ text, language }) => `${language.forwarded[1]}\n\n${text}`,
    'title alone': ({ text, language }) => `${language.forwarded[0]}:\n\n${text}`,
  },
  chat: {
    'time in brackets': talk((name, minute, text) => `[10:${minute}] ${name}: ${text}`),
    'time in brackets, one message': single((text) => `[10:12] Eve: ${text}`),
    'WhatsApp, Android': talk((name, minute, text) => `12.03.26, 10:${minute} - ${name}: ${text}`),
    'WhatsApp, Android, American': talk((name, minute, text) => `3/12/26, 10:${minute} AM - ${name}: ${text}`),
    'WhatsApp, iPhone': talk((name, minute, text) => `[12.03.26, 10:${minute}:05] ${name}: ${text}`),
    Slack: talk((name, minute, text) => `${name}  10:${minute} AM\n${text}`),
    'Slack, one message': single((text) => `Eve Brim  10:12 AM\n${text}`),
    'Slack, time in brackets': talk((name, minute, text) => `${name}  [10:${minute}]\n${text}`),
    'name and time': talk((name, minute, text) => `${name}, 10:${minute}\n${text}`, '\n\n'),
    'name and time, one message': single((text) => `Eve Brim, 10:12\n${text}`),
    Telegram: talk((name, minute, text) => `${name}, [12.03.2026 10:${minute}]\n${text}`),
    Teams: talk((name, minute, text) => `[10:${minute}] ${name}\n${text}`),
    Discord: talk((name, minute, text) => `${name} — Today at 10:${minute}\n${text}`),
    'Discord, date': talk((name, minute, text) => `${name} — 12.03.2026 10:${minute}\n${text}`),
    'Google Chat': talk((name, minute, text) => `${name}, Thu 10:${minute} AM\n${text}`),
    IRC: talk((name, minute, text) => `[10:${minute}] <${name.toLowerCase().replace(' ', '_')}> ${text}`),
    'IRC, no brackets': talk((name, minute, text) => `10:${minute} <${name.slice(0, 2)}> ${text}`),
    LINE: talk((name, minute, text) => `10:${minute}\t${name}\t${text}`),
    Zoom: talk((name, minute, text) => `10:${minute}:05 From ${name} to Everyone: ${text}`),
    'date, time and name': talk((name, minute, text) => `2026-03-12 10:${minute} ${name}: ${text}`),
    'time and name in the line': talk((name, minute, text) => `10:${minute} ${name}: ${text}`),
    'name in the line, time in parentheses': talk((name, minute, text) => `${name} (10:${minute}): ${text}`),
    'name above the time': talk((name, minute, text) => `${name}\n10:${minute}\n${text}`, '\n\n'),
  },
  'quote marks': {
    '>': single((text) => lines(text, '> ')),
    '＞': single((text) => lines(text, '＞ ')),
    '&gt;': single((text) => lines(text, '&gt; ')),
    '﹥': single((text) => lines(text, '﹥')),
  },
  bars: {
    '|': single((text) => lines(text, '| ')),
    '│': single((text) => lines(text, '│ ')),
  },
  tags: {
    blockquote: single((text) => `<blockquote>${text}</blockquote>`),
    'blockquote in lines of its own': single((text) => `<blockquote class="gmail_quote">\n${text}\n</blockquote>`),
    document: single((text) => `<document index="1">\n${text}\n</document>`),
    'document that closes itself in between': single(
      (text) => `<document>\n${text.slice(0, 20)}</document>\n${text.slice(20)}\n</document>`,
    ),
    email: single((text) => `<email>\n${text}\n</email>`),
    'web page': single((text) => `<web_page url="https://brimco.example">${text}</web_page>`),
  },
  quotations: {
    '“…”': single((text) => `“${text}”`),
    '«…»': single((text) => `«${text}»`),
    '« … »': single((text) => `« ${text} »`),
    '„…“': single((text) => `„${text}“`),
    '»…«': single((text) => `»${text}«`),
    '「…」': single((text) => `「${text}」`),
    'behind a colon': ({ text, language }) => `${language.lead.replace(/.$/, ':')} “${text}”`,
  },
  indented: {
    blanks: single((text) => lines(text, '    ')),
    tab: single((text) => lines(text, '\t')),
  },
  fences: {
    backticks: single((text) => `\`\`\`\n${text}\n\`\`\``),
    'triple quotes': single((text) => `"""\n${text}\n"""`),
  },
  none: {
    'no mark': single((text) => text),
    'straight quotes': single((text) => `"${text}"`),
    'names before colons': single((text) => `Eve: ${text}\nBo: ok`),
    'name wrote, undated': single((text) => `Eve wrote:\n${text}`),
  },
}

const END = 'Kim'

const caseOf = (group: Group, form: string, put: Form, content: Content): PastedCase => {
  const { lead } = content.language
  const foreign = content.text.split('\n').filter((line) => line.trim().length > 7)
  const isClosed = CLOSED.has(group)
  return {
    group,
    form,
    language: content.language.name,
    text: `${lead}\n\n${put(content)}${isClosed ? `\n\n${END}` : ''}`,
    foreign,
    own: isClosed ? [lead, END] : [lead],
  }
}

/** Every form in every language with every content. */
export const pastedCases = (): readonly PastedCase[] =>
  (Object.keys(FORMS) as Group[]).flatMap((group) =>
    Object.entries(FORMS[group]).flatMap(([form, put]) =>
      MAIL_LANGUAGES.flatMap(contentsIn).map((content) => caseOf(group, form, put, content)),
    ),
  )
