import { describe, expect, it } from 'vitest'
import { foreignNames } from './foreign-names.ts'

const say = (texts: readonly string[]) => texts.map((text) => ({ text }))
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
