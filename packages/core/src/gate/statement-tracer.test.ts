import { describe, expect, it } from 'vitest'
import { statementsOfMarkdown } from './markdown-statements.ts'
import { readSources } from './merge-sources.ts'
import type { TokenCache } from './statement.ts'
import { findMissingSteps, findReordered, StatementTracer } from './statement-tracer.ts'

const skill = (name: string, body: string): string => `---\nname: ${name}\ndescription: Care of ${name}\n---\n${body}`

/**
 * What the tracer says of a text that is made of the skills alpha and beta: of each statement where they say it, - before what they do not say, < before what
 * is behind something that they have after it, and ! before a step that is missing.
 */
const trace = async (alpha: string, beta: string, merged: string, most = 20): Promise<string> => {
  const cache: TokenCache = new Map()
  const sources = await readSources([[skill('alpha', alpha)], [skill('beta', beta)]], cache)
  const tracer = new StatementTracer(sources, cache)
  const untraced = await tracer.trace(statementsOfMarkdown(merged, cache), ({ key }) => key === 'kelp', most)
  const reordered = await findReordered(tracer.taken, most)
  const lines = [
    ...tracer.taken.map(({ found }) => found.map(({ source, at }) => `${['alpha', 'beta'][source]} ${at ?? 'description'}`).join(', ')),
    ...untraced.map(({ text }) => `- ${text}`),
    ...reordered.map(({ statement, before }) => `< ${statement.text} (${before.text})`),
    ...findMissingSteps(tracer.taken, sources).map(({ text }) => `! ${text}`),
  ]
  return lines.join('; ')
}

describe('sentences', () => {
  const alpha = 'Read red. Close blue. Wait. Tie it.'
  const beta = 'Wait. Close blue. Fold green.'
  it.each([
    ['of both skills', 'Wait.\n\nFold green.', 'alpha 2, beta 0; beta 2'],
    ['that no skill has', 'Read red. Open blue. Close it.', 'alpha 0; - Open blue.; - Close it.'],
    [
      'in the order of one of the skills',
      'Close blue.\n\nRead red.\n\nFold green.\n\nWait.',
      'alpha 1, beta 1; alpha 0; beta 2; alpha 2, beta 0',
    ],
    [
      'in an order that both skills have',
      'Wait.\n\nRead red.\n\nClose blue.\n\nFold green.\n\nClose blue.',
      'alpha 2, beta 0; alpha 0; alpha 1, beta 1; beta 2; alpha 1, beta 1',
    ],
    ['in another order', 'Tie it. Read red. Care of alpha.', 'alpha 3; alpha 0; alpha description; < Read red. (Tie it.)'],
    ['in an order that no skill forbids', 'Fold green. Wait. Close blue. Read red.', 'beta 2; alpha 2, beta 0; alpha 1, beta 1; alpha 0'],
    [
      'behind a description',
      'Care of beta. Close blue. Care of alpha. Read red.',
      'beta description; alpha 1, beta 1; alpha description; alpha 0',
    ],
    ['as one', 'Read red, close blue and fold green; wait.', 'alpha 0; alpha 1, beta 1; beta 2; alpha 2, beta 0'],
    ['as one in another order', 'Tie it, read red.\n\nTie it, wait.', 'alpha 3; alpha 2, beta 0; - Tie it, read red.'],
    [
      'behind a label',
      '**Alpha:** read red. __Beta__: close blue, fold green. Beta: close blue, read it.',
      'alpha 0; alpha 1, beta 1; beta 2; - Beta: close blue, read it.',
    ],
    [
      'behind no label',
      'Kelp: read red. Alpha:read red. Alpha: `\n\nx\nAlpha: read red',
      '- Kelp: read red.; - Alpha:read red.; - Alpha: `; - x Alpha: read red',
    ],
    [
      'behind a long label',
      `${'alpha '.repeat(10)}: read red.\n\n${'alpha '.repeat(11)}: read red.`,
      `alpha 0; - ${'alpha '.repeat(11)}: read red.`,
    ],
  ])('%s', async (_, merged, found) => {
    expect(await trace(alpha, beta, merged)).toBe(found)
  })
})

describe('clauses', () => {
  const alpha = 'Read red, close blue. Close blue. Wait. Read red, then fold green. Fold. Never cut it. Fold, keep. Keep.'
  const beta = ''
  it.each([
    ['as the longest statements', 'Read red, close blue, wait', 'alpha 0; alpha 2'],
    ['as the longest of two ways', 'Fold, keep, keep', 'alpha 6; alpha 7'],
    ['of many words', 'read red, close blue, '.repeat(5), Array(5).fill('alpha 0').join('; ')],
    ['divided', '- read red\n- close blue\n- wait', 'alpha 0; alpha 2'],
    ['divided, with what is allowed in between', 'Read red.\n\nKelp.\n\nFold green.', '- Read red.; - Fold green.'],
    [
      'divided inside a clause',
      '- fold\n- red close blue\n\nRead. Red. Close blue.',
      'alpha 4; alpha 1; - red close blue; - Read.; - Red.; < Close blue. (fold)',
    ],
    ['divided by a heading', 'Read red.\n# Fold green\n\n# Read red\nFold green.', '- Read red.; - Fold green; - Read red; - Fold green.'],
    ['divided by a comment', 'Read red. <!-- Fold green. -->', '- Read red.; - Fold green.'],
    ['divided by an empty sentence', 'Read red. It is.\n\nFold green.', '- Read red.; - It is.; - Fold green.'],
    ['of which the first is in a comment', '<!-- Read red. --> Fold green.', '- Read red.; - Fold green.'],
    ['in sixteen parts', 'fold, '.repeat(16), Array(16).fill('alpha 4').join('; ')],
    ['in seventeen parts', 'fold, '.repeat(17), `- ${'fold, '.repeat(17).trim()}`],
    ['before a negation', 'Fold, never cut it.', 'alpha 4; alpha 5'],
    ['behind a negation', 'Never cut it, fold.', '- Never cut it, fold.'],
  ])('%s', async (_, merged, found) => {
    expect(await trace(alpha, beta, merged)).toBe(found)
  })
})

describe('long sentences', () => {
  const alpha = 'Cut two, three, four, five, six, seven, eight, nine.'
  const beta = 'Cut two, three, four, five, six, seven, eight, nine, ten. Never read red, close blue.'
  it.each([
    ['of eight parts, divided', 'Cut two. Three. Four. Five. Six. Seven. Eight. Nine.', 'alpha 0'],
    ['of nine parts, divided', 'Two. Cut two. Three. Four. Five. Six. Seven. Eight. Nine. Ten.', 'alpha 0; - Two.; - Ten.'],
    ['that negate, divided', '- never read red\n- close blue', '- never read red; - close blue'],
  ])('%s', async (_, merged, found) => {
    expect(await trace(alpha, beta, merged)).toBe(found)
  })
})

describe('hidden and forbidden text', () => {
  const alpha = 'Read red. <!-- Close blue. -->\n## Never\nFold green.\n## Care\nWait.'
  const beta = ''
  it.each([
    ['in the open', 'Close blue.', '- Close blue.'],
    ['in a comment', '<!-- Read red. Close blue. -->', 'alpha 0; alpha 1'],
    ['without its heading', 'Fold green.', '- Fold green.'],
    ['under such a heading', '# Never\n\nFold green. Wait.', 'alpha 2; alpha 3; - Wait.'],
  ])('%s', async (_, merged, found) => {
    expect(await trace(alpha, beta, merged)).toBe(found)
  })
})

describe('introductions', () => {
  const alpha = 'Run then:\n\n- read red\n- close blue\n\nSteps:\n\n- fold\n\nKeep.'
  const beta = 'Fold green:\n\n- wait\n\nRun then. Tie it.'
  it.each([
    ['with what they introduce', 'Run then:\n\n- read red\n- wait', 'alpha 0, beta 2; alpha 1; - wait'],
    [
      'as headings',
      '## Run then\n\nClose blue.\n\n# Run then\n## Care\nClose blue.',
      'alpha 0, beta 2; alpha 0, beta 2; - Close blue.; - Care; - Close blue.',
    ],
    ['left out', 'Close blue. Wait.', '- Close blue.; - Wait.'],
    ['joined', 'Tie it, run then:\n\n- read red', 'beta 3; alpha 0, beta 2; alpha 1'],
    ['joined in another order', 'Run then, tie it:\n\n- read red', '- Run then, tie it:; - read red'],
    ['that only name a part', 'Fold.\n\nOverview:\n\n- fold\n- keep', 'alpha 4; alpha 4; alpha 5; - Overview:'],
    ['before what has none', 'Fold green:\n\n- keep\n\nFold green:\n\n- fold', 'beta 0; beta 0; - keep; - fold'],
    ['that no skill has', 'Kelp:\n\n- keep\n\n- kelp\n  - keep\n  - read red', 'alpha 5; alpha 5; - read red'],
  ])('%s', async (_, merged, found) => {
    expect(await trace(alpha, beta, merged)).toBe(found)
  })
})

describe('code', () => {
  const alpha = 'Never on main:\n```\npush\n```\n# Care\nNever on fork\n```\npull\n```\n\nRead red.'
  const beta = '```\nread red\n```\n\n| Red | Blue |\n|---|---|\n| 1 | 2 |'
  it.each([
    ['with its warning', 'Never on main:\n```\npush\n```', 'alpha 0; alpha 1'],
    [
      'behind another warning',
      'Never on fork\n```\npull\n```\nNever on main:\n```\npull\n```',
      'alpha 3; alpha 4; alpha 0; - pull; < Never on main: (Never on fork)',
    ],
    [
      'with its warning in another section',
      '# Care\nNever on fork\n```\npull\n```\n# Red\n```\npull\n```',
      'alpha 2; alpha 3; alpha 4; - Red; - pull',
    ],
    ['without its warning', '```\npull\npush\n```', '- pull; - push'],
    ['as text', 'Read red.\n```\nread red\n```\n`read red`', 'alpha 5; beta 0; alpha 5'],
    ['rows of its table', '| Red | Blue |\n|---|---|\n| 1 | 2 |\n\n| 1 | 2 |', 'beta 1; beta 2; - |1|2|\n|1|2|'],
  ])('%s', async (_, merged, found) => {
    expect(await trace(alpha, beta, merged)).toBe(found)
  })
})

describe('sections', () => {
  const alpha = 'Read red.\n# Fold green'
  const beta = 'Close blue.'
  it.each([
    [
      'about one skill',
      '# Work\n## Alpha\nRead red. Close blue.\n## Beta\nClose blue.',
      'alpha 0; beta 0; - Work; - Alpha; - Close blue.; - Beta',
    ],
    [
      'within another',
      '# Work\n## Beta\nRead red.\n### Alpha\nRead red. Close blue.\n### Fold green\nRead red.',
      'alpha 0; alpha 1; alpha 0; - Work; - Beta; - Read red.; - Alpha; - Close blue.',
    ],
    ['below a title', '# Alpha\nClose blue.\n## Overview\nRead red. Close blue.', 'beta 0; alpha 0; beta 0; - Alpha; - Overview'],
    ['of two titles', 'Read red.\n# Alpha\nClose blue.\n# Beta\nClose blue.', 'alpha 0; beta 0; - Alpha; - Close blue.; - Beta'],
    ['behind a title', '## Alpha\nClose blue.\n# Beta\nRead red. Close blue.', 'beta 0; - Alpha; - Close blue.; - Beta; - Read red.'],
  ])('%s', async (_, merged, found) => {
    expect(await trace(alpha, beta, merged)).toBe(found)
  })
})

describe('what a heading or a description says too', () => {
  const alpha = '# Read red\n\nClose blue. Read red. Care of alpha. Wait.'
  it.each([
    [
      'has the order of the text',
      'Read red. Close blue.\n\nCare of alpha. Read red.',
      'alpha 0, alpha 2; alpha 1; alpha description, alpha 3; alpha 0, alpha 2; < Close blue. (Read red.); < Read red. (Care of alpha.)',
    ],
    ['may be in any order where the text does not say it', 'Wait. Care of beta. Close red.', 'alpha 4; beta description; beta 0'],
  ])('%s', async (_, merged, found) => {
    expect(await trace(alpha, 'Close red.', merged)).toBe(found)
  })
})

describe('steps', () => {
  const alpha = '1. read red\n2. close blue\n3. read red\n\nFold green.\n\n1. wait\n2. it is\n3. rest'
  const beta = '1. wait\n2. tie it\n\nTie it.\n```\none\ntwo\n```'
  it.each([
    ['whole', 'Read red. Close blue. Read red. Fold green.', 'alpha 0, alpha 2; alpha 1; alpha 0, alpha 2; alpha 3'],
    ['in part', '1. read red\n2. close blue', 'alpha 0, alpha 2; alpha 1; ! read red'],
    ['in another order', '1. rest\n2. wait', 'alpha 6; alpha 4, beta 0; ! rest'],
    ['without the first', '1. close blue\n2. read red', 'alpha 1; alpha 0, alpha 2; ! close blue'],
    ['without an empty one', '1. wait\n2. rest', 'alpha 4, beta 0; alpha 6'],
    ['of which another text has the same', 'Fold green. Wait.', 'alpha 3; alpha 4, beta 0'],
    ['of another list that stand elsewhere too', '- tie it', 'beta 1, beta 2'],
    ['of code', '```\ntwo\n```', 'beta 4; ! one'],
  ])('%s', async (_, merged, found) => {
    expect(await trace(alpha, beta, merged)).toBe(found)
  })
})
it('names no more than it is asked for', async () => {
  expect(await trace('Read red. Close blue. Wait.', '', 'Wait. Close blue. Read red. Tie it. Fold green.', 1)).toBe(
    'alpha 2; alpha 1; alpha 0; - Tie it.; < Close blue. (Wait.)',
  )
})
