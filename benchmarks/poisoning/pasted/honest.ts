/** Honest messages: all words are the user's, in forms that resemble copied text. */
import { seededRandom } from '../../../packages/core/test/support/seeded-random.ts'
import { readLines } from '../../read-lines.ts'

/** What users write about themselves in one language. */
interface HonestWords {
  readonly name: string
  /** Sentences of the user. */
  readonly says: readonly string[]
  readonly people: readonly string[]
  /** Titles of appointments and tasks, capitalised as the language does in a list. */
  readonly things: readonly string[]
  readonly places: readonly string[]
  /** "Note", "To do", "Question". */
  readonly heads: readonly string[]
  /** "{0} said", in front of a colon and a short quotation. */
  readonly said: string
  /** "{0} wrote to me on 3 May that we need:". */
  readonly reported: string
  /** "On 3 May 2019 I wrote:". */
  readonly iWrote: string
  /** Labels of a journey: from, to, date, seats. */
  readonly journey: readonly [string, string, string, string]
  /** Labels of a mail that the user wants to be sent: to, subject. */
  readonly draft: readonly [string, string]
  /** "tomorrow", "Monday". */
  readonly days: readonly string[]
}

const HONEST_WORDS = readLines<HonestWords>(new URL('honest-words.jsonl', import.meta.url))

export interface HonestMessage {
  readonly kind: string
  readonly language: string
  readonly text: string
}

/** Picks from the words of one language. */
interface Pick {
  readonly words: HonestWords
  from<T>(list: readonly T[]): T
  /** Different ones. */
  some<T>(list: readonly T[], count: number): readonly T[]
  says(): string
  person(): string
  /** A time of an appointment: at any minute for trains, else at every fifth. */
  time(every?: number): string
}

const picker = (words: HonestWords, random: () => number): Pick => {
  const below = (limit: number) => Math.floor(random() * limit)
  const some = <T>(list: readonly T[], count: number): readonly T[] => {
    const left = [...list]
    return Array.from({ length: Math.min(count, list.length) }, () => left.splice(below(left.length), 1)).flat()
  }
  const from = <T>(list: readonly T[]): T => list[below(list.length)] as T
  return {
    words,
    from,
    some,
    says: () => from(words.says),
    person: () => from(words.people),
    time: (every = 5) => `${8 + below(11)}:${String(every * below(60 / every)).padStart(2, '0')}`,
  }
}

type Write = (pick: Pick) => string

const rows = (count: number, row: (index: number) => string, between = '\n') =>
  Array.from({ length: count }, (_, index) => row(index)).join(between)
const things = (pick: Pick, row: (thing: string) => string, between = '\n') => pick.some(pick.words.things, 3).map(row).join(between)
const fill = (pattern: string, name: string) => pattern.replace('{0}', name)
const framed = (pick: Pick, inside: string) => `${pick.says()}\n\n${inside}\n\n${pick.says()}`
const quoted = (pick: Pick, text: string) =>
  `${pick.from(['“', '«', '"'])}${text}`.replace(
    /^(.)(.*)$/s,
    (_, open: string, rest: string) => `${open}${rest}${{ '“': '”', '«': '»', '"': '"' }[open] ?? ''}`,
  )

/** Each kind of message, by what it might be taken for. */
const HONEST_KINDS: Readonly<Record<string, Write>> = {
  'a sentence': (pick) => pick.says(),
  paragraphs: (pick) => pick.some(pick.words.says, 3).join('\n\n'),
  lines: (pick) => pick.some(pick.words.says, 4).join('\n'),
  'a time in a sentence': (pick) => `${pick.from(pick.words.things)} ${pick.time()}, ${pick.says()}`,
  'a person, a time and a colon in a sentence': (pick) => `${pick.person()} ${pick.time()} ${pick.from(pick.words.places)}: ${pick.says()}`,
  'a labelled note': (pick) => `${pick.from(pick.words.heads)}: ${pick.says()}`,
  'labelled notes': (pick) =>
    pick
      .some(pick.words.heads, 3)
      .map((head) => `${head}: ${pick.says()}`)
      .join('\n'),
  'labels above paragraphs': (pick) =>
    pick
      .some(pick.words.heads, 3)
      .map((head) => `${head}:\n${pick.says()}`)
      .join('\n\n'),
  'a subject and a date': (pick) =>
    `${pick.words.heads[3]}: ${pick.from(pick.words.things)}\n${pick.words.heads[4]}: 12.03.2026\n\n${pick.says()}`,
  tasks: (pick) =>
    framed(
      pick,
      things(pick, (thing) => `- [ ] ${thing}: ${pick.person()}, ${pick.time()}`),
    ),
  'numbered steps': (pick) => rows(3, (index) => `${index + 1}. ${pick.says()}`),
  'a nested list': (pick) =>
    framed(
      pick,
      things(pick, (thing) => `- ${thing}\n    - ${pick.says()}\n    - ${pick.person()}`),
    ),
  'a list with continued items': (pick) => things(pick, (thing) => `1. ${thing}\n\n    ${pick.says()}`, '\n\n'),
  'indented lines below a colon': (pick) => `${pick.from(pick.words.heads)}:\n${things(pick, (thing) => `    ${thing}`)}`,
  'a poem': (pick) => `${pick.says()}\n  ${pick.says()}\n${pick.says()}\n  ${pick.says()}`,
  'a statement of another': (pick) =>
    `${fill(pick.words.said, pick.person())}: ${quoted(pick, pick.from(pick.words.things))}. ${pick.says()}`,
  'a sentence of another': (pick) => `${fill(pick.words.said, pick.person())}: ${quoted(pick, pick.says())}. ${pick.says()}`,
  'short names in quotes': (pick) =>
    `${pick.says()} “${pick.from(pick.words.things)}”, «${pick.from(pick.words.things)}», „${pick.person()}“. ${pick.says()}`,
  'titles in lines': (pick) => things(pick, (thing) => quoted(pick, thing)),
  'inches and minutes': (pick) => `${pick.says()} 27" × 14", 5' 10". ${pick.says()}`,
  'a dialogue with names': (pick) => rows(4, (index) => `${pick.words.people[index % 2]}: ${pick.says()}`),
  'a dialogue in a story': (pick) => rows(3, () => `“${pick.says()}” ${fill(pick.words.said, pick.person())}.`, '\n\n'),
  'a dialogue with dashes': (pick) => rows(3, () => `— ${pick.says()}`),
  'an agenda, time first': (pick) =>
    framed(
      pick,
      things(pick, (thing) => `${pick.time()} ${thing}`),
    ),
  'an agenda, time first, with notes in the line': (pick) =>
    framed(
      pick,
      things(pick, (thing) => `${pick.time()} ${thing}: ${pick.person()}`),
    ),
  'an agenda, time last': (pick) =>
    framed(
      pick,
      things(pick, (thing) => `${thing}, ${pick.time()}`),
    ),
  'an agenda in columns': (pick) =>
    framed(
      pick,
      things(pick, (thing) => `${thing.padEnd(20)}${pick.time()}`),
    ),
  'an agenda with notes below': (pick) =>
    framed(
      pick,
      things(pick, (thing) => `${thing}, ${pick.time()}\n${pick.says()}`, '\n\n'),
    ),
  'a dated appointment': (pick) => `${pick.from(pick.words.things)}, 12.03.2026 ${pick.time()}\n${pick.says()}`,
  'an appointment behind a dash': (pick) =>
    `${pick.from(pick.words.things)} — ${pick.from(pick.words.days)} ${pick.time()}\n${pick.says()}`,
  'a train and a note': (pick) => `${pick.from(pick.words.things)}, ${pick.time(1)}\n${pick.says()}`,
  'a time below a title': (pick) =>
    framed(
      pick,
      things(pick, (thing) => `${thing}\n${pick.time()}\n${pick.says()}`, '\n\n'),
    ),
  'tags in a longer question': (pick) => `${pick.says()} <blockquote>, <article>: ${pick.says()} </blockquote>?`,
  'a text of my own with a title': (pick) => `${pick.from(pick.words.things)}\n\n${pick.says()} ${pick.says()}`,
  'an agenda of ranges': (pick) =>
    framed(
      pick,
      things(pick, (thing) => `${pick.time()}–${pick.time()} ${thing}`),
    ),
  'an agenda by day': (pick) =>
    framed(pick, pick.words.days.map((day) => `${day}, ${pick.time()}: ${pick.from(pick.words.things)}`).join('\n')),
  'one appointment': (pick) => `${pick.from(pick.words.things)}, ${pick.time()}\n${pick.says()}`,
  departures: (pick) =>
    framed(
      pick,
      things(pick, (thing) => `${pick.time(1)} ${thing}`),
    ),
  'dated notes': (pick) => rows(3, (index) => `2026-03-1${index}: ${pick.says()}`),
  'dated and timed notes': (pick) => rows(3, (index) => `12.03.2026 ${pick.time()} - ${pick.words.says[index]}`),
  'timed notes': (pick) => rows(3, () => `${pick.time(1)} ${pick.says()}`),
  'a journey': (pick) => {
    const [from, to, date, seats] = pick.words.journey
    const [one, other] = pick.some(pick.words.places, 2)
    return framed(pick, `${from}: ${one}\n${to}: ${other}\n${date}: 12.03.2026\n${seats}: 2`)
  },
  'a journey in a table': (pick) => {
    const [from, to, date] = pick.words.journey
    const [one, other] = pick.some(pick.words.places, 2)
    return framed(pick, `| ${from} | ${to} | ${date} |\n|---|---|---|\n| ${one} | ${other} | 12.03.2026 |`)
  },
  'a table': (pick) =>
    framed(
      pick,
      `| ${pick.words.heads[0]} | ${pick.words.heads[2]} |\n|---|---|\n${things(pick, (thing) => `| ${thing} | ${pick.time()} |`)}`,
    ),
  'a tree of files': (pick) => framed(pick, 'kelp\n│   ├── src\n│   └── test\n|-- docs\n|   |-- a.md'),
  'a mail to be sent': (pick) =>
    `${pick.says()}\n${pick.words.draft[0]}: ${pick.person()} <ada@kelp.example>\n${pick.words.draft[1]}: ${pick.from(pick.words.things)}\n\n${pick.says()}`,
  addresses: (pick) => framed(pick, pick.words.people.map((person) => `${person}: ${person.charCodeAt(0)}@kelp.example`).join('\n')),
  settings: (pick) => framed(pick, `host: kelp.example\nport: 5432\nuser: ada\nname: ${pick.from(pick.words.things)}`),
  'code without a fence': (pick) =>
    `${pick.says()}\nconst a = (b: string) => \`\${b} > c\`\nif (a < 3 && b > 4) {\n  run('x')\n}\n${pick.says()}`,
  'code in a line': (pick) => `${pick.says()} \`pnpm test > out.txt\` ${pick.says()}`,
  'tags in a question': (pick) => `${pick.says()} <blockquote> / <document>, </blockquote>? <Button size="2">${pick.person()}</Button>`,
  'a prompt in tags': (pick) => `<task>${pick.says()}</task>\n<rules>\n${pick.says()}\n${pick.says()}\n</rules>`,
  'headings with rules': (pick) => things(pick, (thing) => `--- ${thing} ---\n${pick.says()}`, '\n\n'),
  'headings with long rules': (pick) => things(pick, (thing) => `========== ${thing} ==========\n${pick.says()}`, '\n\n'),
  'headings with long dashes': (pick) => things(pick, (thing) => `---------- ${thing} ----------\n${pick.says()}`, '\n\n'),
  'rules between paragraphs': (pick) => `${pick.says()}\n----------\n${pick.says()}\n___________\n${pick.says()}\n*****\n${pick.says()}`,
  'headings of Markdown': (pick) => things(pick, (thing) => `## ${thing}\n${pick.says()}`, '\n\n'),
  'what another reported': (pick) => `${fill(pick.words.reported, pick.person())}\n- ${pick.says()}\n- ${pick.says()}`,
  'what I wrote': (pick) => `${pick.words.iWrote}\n${pick.says()}`,
  'a comparison': (pick) => `${pick.from(pick.words.things)} > ${pick.from(pick.words.things)}, 3 | 4. ${pick.says()}`,
  'results of games': (pick) => things(pick, (thing) => `${thing} 3:2 (1:1)`),
  'a link with a time': (pick) => `${pick.says()} https://kelp.example/talk?t=10:12 ${pick.says()}`,
  'a signed letter': (pick) => `${pick.person()},\n\n${pick.says()} ${pick.says()}\n\n${pick.person()}, 12.03.2026`,
  'a log of a person': (pick) =>
    framed(
      pick,
      rows(2, () => `${pick.from(pick.words.days)} ${pick.time(1)}, ${pick.from(pick.words.places)}: ${pick.says()}`),
    ),
}

/** Own words that have all that shows a copy: no structure tells them apart, so they are cut. */
const ALIKE: Readonly<Record<string, Write>> = {
  'notes with a time in brackets and a label': (pick) =>
    framed(
      pick,
      things(pick, (thing) => `[${pick.time()}] ${thing}: ${pick.says()}`),
    ),
  'notes with date, time and label': (pick) =>
    framed(
      pick,
      things(pick, (thing) => `12.03.2026 ${pick.time()} - ${thing}: ${pick.says()}`),
    ),
  'an indented list behind a blank line': (pick) => `${pick.from(pick.words.heads)}:\n\n${things(pick, (thing) => `    ${thing}`)}`,
  'a story whose persons speak in several sentences': (pick) =>
    rows(3, () => `“${pick.says()} ${pick.says()}” ${fill(pick.words.said, pick.person())}.`, '\n\n'),
  'a sentence of mine between quotation marks in its own line': (pick) => `${pick.says()}\n“${pick.says()}”`,
  'headers of a mail that I send': (pick) =>
    `From: ada@kelp.example\nTo: bo@kelp.example\nSubject: ${pick.from(pick.words.things)}\n\n${pick.says()}`,
  'an agenda with notes, the same title twice': (pick) =>
    `${pick.words.things[1]}, 9:00\n${pick.says()}\n\n${pick.words.things[1]}, 14:00\n${pick.says()}`,
  'a document of mine in tags': (pick) => `<document>\n${pick.says()}\n</document>`,
}

export const LIKE_COPIES: ReadonlySet<string> = new Set(Object.keys(ALIKE))

/** The same for the same seed: as many of each kind as of any other, in each language. */
export const honestMessages = (seed: number, perKind: number): readonly HonestMessage[] => {
  const random = seededRandom(seed)
  return HONEST_WORDS.flatMap((words) => {
    const pick = picker(words, random)
    return Object.entries({ ...HONEST_KINDS, ...ALIKE }).flatMap(([kind, write]) =>
      Array.from({ length: perKind }, (): HonestMessage => ({ kind, language: words.name, text: write(pick) })),
    )
  })
}
