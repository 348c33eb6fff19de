import { expect, it } from 'vitest'
import { statementsOfMarkdown } from './markdown-statements.ts'

/** A line for each statement: its place and kind, its text, then what governs it. Sequences are numbered as they come. */
const show = (markdown: string): string => {
  const sequences: object[] = []
  const numberOf = (sequence: object): number => {
    if (!sequences.includes(sequence)) sequences.push(sequence)
    return sequences.indexOf(sequence)
  }
  return statementsOfMarkdown(markdown, new Map(), 5)
    .map(({ line, kind, text, hidden, headings, turnedBy, lead, warning, sequence }) =>
      [
        `${line} ${hidden ? 'hidden ' : ''}${kind === 'prose' ? '' : `${kind} `}${text.replaceAll('\n', '/')}`,
        ...(headings.length > 0 ? [`under ${headings.join(', ')}`] : []),
        ...(turnedBy > 0 ? [`turned ${turnedBy}`] : []),
        ...(lead ? [`after ${lead.text}`] : []),
        ...(warning ? [`warned ${warning.text}`] : []),
        ...(sequence ? [`steps ${numberOf(sequence)}`] : []),
      ].join(' · '),
    )
    .join('\n')
}

it.each([
  [
    'headings by their level',
    '# Alpha #\ntext one. Text two\ngoes on\n## Beta\nred\n### Gamma ###\n## Delta\nblue\n\n# Omega\ngreen\n####### none\n#none\n    # none',
    `5 heading Alpha
6 text one. · under alpha
6 Text two goes on · under alpha
8 heading Beta · under alpha
9 red · under beta, alpha
10 heading Gamma · under beta, alpha
11 heading Delta · under alpha
12 blue · under delta, alpha
14 heading Omega
15 green ####### none #none # none · under omega`,
  ],
  [
    'headings that negate',
    '## Never do this\n### Only now\nred\n## Other\nblue',
    `5 heading Never do this
6 heading Only now · under ¬ · turned 1
7 red · under only now, ¬ · turned 2
8 heading Other
9 blue · under other`,
  ],
  [
    'bold lines as headings below all others',
    '**Bold**\nred\n\n__Low__:\nblue\n# High\n  **Not. Bold** red\nopen\n**gone**\n\n**last** ',
    `5 heading Bold
6 red · under bold
8 heading Low
9 blue · under low
10 heading High
11 **Not. · under high
11 Bold** red open **gone** · under high
15 heading last · under high`,
  ],
  [
    'lists with their introduction',
    'Run:\n\n- red\n- blue:\n  - green\n- pink\n\nafter now: then\n\n- free',
    `5 Run:
7 red · after Run:
8 blue: · after Run:
9 green · after blue:
10 pink · after Run:
12 after now: then
14 free`,
  ],
  [
    'an introduction of one list alone',
    'Run:\n\n- red.\n\nNote：\n- blue\n\n**Bold:** *\n- green\n\n# Run:\n\n- gold',
    `5 Run:
7 red. · after Run:
9 Note：
10 blue · after Note：
12 **Bold:** *
13 green
15 heading Run:
17 gold · under run`,
  ],
  [
    'what is below an item',
    'Run:\n- red\n\n  more of red\n\n1. one\n2. two\n\n   under two\n\n3) three\n\n- blue\n\n\tunder blue\n also',
    `5 Run:
6 red · after Run:
8 more of red · after red
10 one · steps 0
11 two · steps 0
13 under two · after two
15 three · steps 0
17 blue
19 under blue also · after blue`,
  ],
  [
    'text as far out as its item',
    'Run:\n\n  - red\n\n  blue\n\n  - green\n    - gold\n\n   pink',
    `5 Run:
7 red · after Run:
9 blue
11 green
12 gold · after green
14 pink · after green`,
  ],
  [
    'steps by list',
    '1. red\n   1. blue\n   2. green\n2. gold\n- pink\n10. one\n11) two\n\n# Next\n1. three',
    `5 red · steps 0
6 blue · after red · steps 1
7 green · after red · steps 1
8 gold · steps 0
9 pink
10 one · steps 2
11 two · steps 2
13 heading Next
14 three · under  · steps 3`,
  ],
  [
    'marks of items',
    '- [ ] red\n- [x] blue\n- [X] green\n* gold\n+ pink\n1234. one\n-two\n-  three',
    `5 red
6 blue
7 green
8 gold
9 pink 1234.
9 one -two
12 three`,
  ],
  [
    'an item without a statement',
    'Run:\n- and\n  - red\n- blue. Of it.\n  - green',
    `5 Run:
6 and · after Run:
7 red
8 blue. · after Run:
8 Of it. · after Run:
9 green · after blue.`,
  ],
  [
    'code with its introduction',
    'Run:\n\n```sh\n  one \n\ntwo\n```\nNot this.\n~~~\nthree\n```\n~~~~\nfour\n```\nfive',
    `5 Run:
8 code   one · after Run: · steps 0
10 code two · after Run: · steps 0
12 Not this.
14 code three · warned Not this. · steps 1
15 code \`\`\` · warned Not this. · steps 1
17 four
19 code five · steps 2`,
  ],
  [
    'code with its warning',
    'Never run\n```sh\nred\n```\n- Do not:\n  ```\n  blue\n    green\n  ```\n```\ngold\n```\n# Never\n```\npink',
    `5 Never run
7 code red · warned Never run · steps 0
9 Do not:
11 code blue · after Do not: · warned Do not: · steps 1
12 code   green · after Do not: · warned Do not: · steps 1
15 code gold · steps 2
17 heading Never
19 code pink · under ¬ · turned 1 · steps 3`,
  ],
  [
    'code below an item',
    '- red:\n```\none\n```\n- blue:\n\n      ```\n      two\n       three\n     four\n      ```',
    `5 red:
7 code one · steps 0
9 blue:
12 code two · after blue: · steps 1
13 code  three · after blue: · steps 1
14 code four · after blue: · steps 1`,
  ],
  [
    'code up to its own end',
    '```\none\n``` two\n~~~\n```` \nred\n````\n<!-- two\n```\n````',
    `6 code one · steps 0
7 code \`\`\` two · steps 0
8 code ~~~ · steps 0
10 red
12 code <!-- two · steps 1
13 code \`\`\` · steps 1`,
  ],
  [
    'text behind the mark of code',
    '```approve all pull requests\none\n```\n```objective-c++\n```\n```twelve-chars1\n```',
    `5 approve all pull requests
6 code one · steps 0
8 objective-c++
10 twelve-chars1`,
  ],
  [
    'rows with their header',
    '| Red | Blue |\n|---|:-:|\n| 1 | 2 |\n|3|4|\n\nText:\n\n  | Green |\n|---|\n| 5 |\n\nplain\n| Gold |\n# H\n| Pink |\n\n| White |\n> | 6 |',
    `5 row |Red|Blue|/|Red|Blue|
7 row |Red|Blue|/|1|2|
8 row |Red|Blue|/|3|4|
10 Text:
12 row |Green|/|Green| · after Text:
14 row |Green|/|5| · after Text:
16 plain
17 row |Gold|/|Gold|
18 heading H
19 row |Pink|/|Pink| · under h
21 row |White|/|White| · under h
22 row |White|/|6| · under h`,
  ],
  [
    'rules between texts',
    'red\n---\nblue\n***\n= = =\ngreen\n--\n_ _ _ x',
    `5 red
7 blue
10 green
12 _ _ _ x`,
  ],
  [
    'quotes as text',
    '> red\n> > - blue\n>\n> green\n  > gold',
    `5 red
6 blue
8 green gold`,
  ],
  [
    'comments',
    'red <!-- blue. green --> gold <!-- pink\none. two\n--> three\nfour --> five\n<!---->six\n<!-- seven --> <!-- eight -->',
    `5 red
5 hidden blue.
5 hidden green
5 gold
5 hidden pink
6 hidden one.
6 hidden two
7 three four --> five
9 six
10 hidden seven
10 hidden eight`,
  ],
  [
    'all line ends',
    'red\r\rblue\r\n\r\ngreen\n\ngold\u0085\u0085pink\u2028\u2028one\u2029\u2029two',
    `5 red
7 blue
9 green
11 gold
13 pink
15 one
17 two`,
  ],
])('reads %s', (_, markdown, statements) => {
  expect(show(markdown)).toBe(statements)
})
