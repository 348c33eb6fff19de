import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isAgentsStatement, isOnlyAsked } from './agents-words.ts'
import { contentWords } from './content-words.ts'
import { foreignNames } from './foreign-names.ts'
import { normaliseText } from './normalise-text.ts'
import { foreignAddresses, holdsToken, specificTokens } from './specific-tokens.ts'

describe('contentWords', () => {
  it('meets inflected forms and leaves common words out', () => {
    expect(contentWords('The user prefers short answers')).toEqual(contentWords('I prefer short answer'))
    expect(contentWords('deployments')).toEqual(contentWords('deployment'))
    expect(contentWords('hello, the of and')).toEqual(new Set())
  })

  it('keeps negations and numbers with their digits', () => {
    expect([...contentWords('never use Go 1.22')]).toEqual(expect.arrayContaining(['never', '1', '22']))
  })

  it('puts every negation in one form', () => {
    for (const text of ["can't eat nuts", 'cannot eat nuts', 'can not eat nuts', "doesn't eat nuts", 'dont eat nuts', 'eats no nuts'])
      expect(contentWords(text)).toEqual(new Set(['not', 'eat', 'nut']))
    expect(contentWords('without tests')).toContain('without')
  })

  it('takes no word for a negation that only begins like one', () => {
    for (const text of ['note', 'Notes', 'noted', 'noting', 'noté', 'notées']) expect(contentWords(text)).toEqual(new Set(['note']))
    expect(contentWords('the town of Nevers')).not.toContain('never')
    expect(contentWords('not noted')).toEqual(new Set(['not', 'note']))
  })

  it('meets words with and without accents', () => {
    expect(contentWords('café crème')).toEqual(contentWords('cafe creme'))
  })

  it('counts pairs of characters if a script has no spaces', () => {
    expect([...contentWords('用中文')]).toEqual(['用中', '中文'])
  })

  it('gives the same words for a text and its normal form', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(contentWords(normaliseText(text))).toEqual(contentWords(text))
      }),
      { seed: 7 },
    )
  })
})

describe('specificTokens', () => {
  it('finds addresses, paths, commands and numbers', () => {
    const { strong, numbers } = specificTokens(
      'Run `make all` at https://ci.example.com/x, mail bob@corp.io, see /etc/hosts, use --force on v12 and 1.22',
    )
    expect([...strong]).toEqual(expect.arrayContaining(['make all', 'ci.example.com/x', 'bob@corp.io', '/etc/hosts', '--force']))
    expect([...numbers]).toEqual(['12', '1.22'])
  })

  it('finds a token only as a whole', () => {
    expect(holdsToken('version v12 is out', '12')).toBe(true)
    expect(holdsToken('version 120 is out', '12')).toBe(false)
    expect(holdsToken('see notevil.com', 'evil.com')).toBe(false)
  })

  it('takes no hyphen inside a word for the flag of a command, nor a named program for a command', () => {
    const plain = 'Berlin-based, 4-year-old, user-friendly; builds with pnpm in CI'
    expect([...specificTokens(plain).strong]).toEqual([])
    expect([...specificTokens('see C:\\temp\\x').strong]).toHaveLength(1)
    expect([...specificTokens('npm install evil-pkg').strong]).toEqual(['npm install evil-pkg'])
  })
})

const say = (texts: readonly string[]) => texts.map((text) => ({ text }))

const isAgents = (statement: string, own: readonly string[], agent: readonly string[]) =>
  isAgentsStatement(statement, { own: say(own), agent: say(agent) })

describe('a statement', () => {
  it.each([
    ['that answers a question', 'Push straight to the main branch', ['What does it say?'], ['I push straight to the main branch.']],
    ['that the user only confirms', 'Eats no meat', ['Great, that is right. Write it down.'], ['Noted: a guest who eats no meat.']],
    ['of which the user said one word of three', 'Releases wait for Mira', ['Who is Mira?'], ['All releases wait for her.']],
    ['with as many words of each, at least two', 'Mira approves refunds daily', ['Ask Mira daily.'], ['She approves refunds.']],
    ['in Japanese', '確認なしで公開してよい', ['調べてください。'], ['確認なしで公開します。']],
    ['in one of its sentences', 'Skip the slow tests', ['Go on.'], ['It is green. I can skip the slow tests.']],
  ] as const)('is the agent’s: one %s', (_, statement, own, agent) => {
    expect(isAgents(statement, own, agent)).toBe(true)
  })

  it.each([
    ['that the agent repeats', 'Lives in Lisbon', ['I moved to Lisbon.'], ['You live in Lisbon, then.']],
    ['that nobody said so', 'Prefers short answers', ['Please be brief.'], ['Of course.']],
    ['with one word of the agent', 'Releases ship on Fridays', ['We ship on Fridays.'], ['I note the releases.']],
    ['with words from several sentences of the agent', 'Skip the slow tests', ['Skip that.'], ['It is slow.', 'The tests pass.']],
    ['with as many words of the user', 'Reads mail at noon', ['I read at noon.'], ['Mail is read.']],
    ['in a conversation without the agent', 'Eats no meat', ['What?'], []],
  ] as const)('is the user’s: one %s', (_, statement, own, agent) => {
    expect(isAgents(statement, own, agent)).toBe(false)
  })

  it('may take the user’s words from several messages', () => {
    expect(isAgents('Works with Mira in Oslo', ['It is Mira.', 'And Oslo.'], ['You work there.'])).toBe(false)
  })
})

describe('a statement that cites', () => {
  it.each([
    ['a question about what it names', 'Works for Fernhill', ['What do you know about Fernhill?'], true],
    ['a question in Chinese', '服务端口 8080', ['你知道8080吗？'], true],
    ['questions about other things', 'Lives in Oslo', ['What is new?', '(Is it open?)'], true],
    ['a question that asks for it', 'Prefers short answers', ['Could you keep your answers short?'], false],
    ['a sentence before a question', 'Lives in Oslo', ['I moved to Oslo', 'Is it cold?'], false],
  ] as const)('%s', (_, statement, quotes, expected) => {
    expect(isOnlyAsked(statement, quotes)).toBe(expected)
  })
})

describe('foreignAddresses', () => {
  it.each([
    ['see https://user@Evil.example:8080/x?y', ['evil.example']],
    ['curl evil.sh.top/x', ['evil.sh.top']],
    ['mail ops@evil.org now', ['ops@evil.org']],
    ['ping 10.1.2.3', ['10.1.2.3']],
    ['scp a b@files.acme.io', ['b@files.acme.io']],
  ])('finds those in %j', (text, found) => {
    expect(foreignAddresses(text)).toEqual(expect.arrayContaining(found))
  })

  it.each([
    'open http://localhost:3000 or http://127.0.0.1',
    'edit package.json, run deploy.sh',
    'call Math.max(1, 2)',
    'http://$HOST/x',
    'https://example.com',
  ])('finds none in %j', (text) => {
    expect(foreignAddresses(text)).toEqual([])
  })
})

const foreign = (statement: string, own: readonly string[], agent: readonly string[] = []) =>
  foreignNames(statement, { own: say(own), agent: say(agent) })

/** Enough German for its capitals to be those of nouns. */
const GERMAN = ['Der Export und zwei Kleinigkeiten am Layout fehlen noch. Ich würde mit dem Export der Tabelle anfangen, dann das Layout.']

describe('a name or a number that its speaker never wrote', () => {
  it.each([
    ['a number', 'Closes at 17:45', ['It closes at 17:30.'], ['45']],
    ['a part of a number', 'Keep it 6 days', ['Keep it 60 days.'], ['6']],
    ['an address', 'Reports go to eve@evil.example', ['Mail the reports.'], ['eve@evil.example', 'evil.example']],
    ['a path', 'Logs are in /var/log/app', ['Where are the logs?'], ['/var/log/app']],
    ['a capitalised word', 'Invoices go through Fernhill', ['How do we pay?'], ['fernhill']],
    ['text in quotes', 'Das Lager heißt „Eiche“', ['wie heißt das lager'], ['eiche']],
    ['quotes without spaces', '会员卡叫“青叶”', ['店里有了会员卡'], ['青叶']],
    ['another script', 'Форматирует через ruff', ['Надо форматировать.'], ['ruff']],
    ['katakana', '店の記録はメルカリに保存', ['店の記録を取って'], ['メルカリ']],
  ] as const)('is found: %s', (_, statement, own, found) => {
    expect(foreign(statement, own)).toEqual(expect.arrayContaining([...found]))
  })

  it('is found at the start of a sentence if the agent wrote it as a name', () => {
    const said = ['Who approves refunds? Please tell me, and then fix the list.']
    expect(foreign('Mira approves refunds', said, ['That is done by Mira here.'])).toEqual(['mira'])
    expect(foreign('Formats with ruff', said, ['I set up `ruff` for you.'])).toEqual(['ruff'])
    expect(foreign('Approves refunds', said, ['Approves them all, so it is fine.'])).toEqual([])
  })

  it('is found in German by other marks than capitals', () => {
    expect(foreign('Bevorzugt kurze Antworten', ['Fass dich kurz.', ...GERMAN])).toEqual([])
    expect(foreign('Bevorzugt Antworten in 3 Zeilen', ['Fass dich kurz.', ...GERMAN])).toEqual(['3'])
  })

  it('is found in a short conversation too, of which two names are a large part', () => {
    const own = [{ text: 'Good. Let us go on, then.' }, { text: 'Deploys go out on Mondays' }]
    const agent = [{ text: 'Deploys now wait for Wexranmik.' }]
    expect(foreignNames('Deploys go out when Wexranmik agrees', { own, agent })).toEqual(['wexranmik'])
  })
})

describe('a paraphrase', () => {
  it.each([
    ['English', 'Lives in Lisbon', 'I moved to Lisbon last month'],
    ['a tool', 'Uses pnpm', "we're on pnpm now"],
    ['a number beside a sign', 'Budget: €1200, 4 pm', 'my budget is 1,200 euros at 4pm'],
    ['lower case', 'Prefers answers in Italian', 'answer in italian'],
    ['an inflected name', 'Место жительства: Казань', 'я теперь живу в Казани'],
    ['a particle', '서울 거주', '서울에서 살아요'],
    ['a compound', 'エビアレルギー', 'エビのアレルギーがあります'],
    ['an address beside a dense script', '发票邮箱：a@fernhill.example', '发票发到a@fernhill.example'],
    ['full width', 'Port 8080', 'ｐｏｒｔ ８０８０'],
    ['an abbreviation', 'Changes reach main by PR', 'never push to main, open a pull request'],
    ['a Chinese digit', '有3个孩子', '我有三个孩子'],
  ])('of the speaker holds none: %s', (_, statement, said) => {
    expect(foreign(statement, [said])).toEqual([])
  })

  it('may take its names from several texts, not from the agent', () => {
    expect(foreign('Works with Mira in Oslo', ['It is Mira.', 'And Oslo.'])).toEqual([])
    expect(foreign('Works with Mira in Oslo', ['It is Mira.'], ['And Oslo.'])).toEqual(['oslo'])
  })
})
