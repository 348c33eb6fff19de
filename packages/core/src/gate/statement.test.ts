import { describe, expect, it } from 'vitest'
import { statementsOfMarkdown } from './markdown-statements.ts'
import { keysOf, statementsOfCode, tokensOfSentence } from './statement.ts'

/** A clause begins with |, a word that negates or restricts with !, what is compared exactly with =. */
const tokensIn = (sentence: string): string =>
  tokensOfSentence(sentence, new Map())
    .map(({ value, opens, turns }) => `${opens ? '|' : ''}${turns ? '!' : ''}${value}`)
    .join(' ')

describe('a sentence is compared', () => {
  it.each([
    ['without articles, politeness and endings', 'Put the labels on it, please.', '|put label'],
    ['without a word that opens it', 'Then, put it there.', '|put'],
    ['without a word that counts it', 'First: read the diffs and then close them', '|read diff |clos'],
    ['with such a word elsewhere', 'put first, then it', '|put first'],
    ['as nothing if it is such a word', 'First', ''],
    ['with its negations in one form', "Don't close drafts; never merge one — ask.", '|!¬ clos draft |!¬ merg one |ask'],
    ['with negations of other languages', 'nicht ohne sin', '|!¬ !¬ !¬'],
    ['with the names that have an apostrophe', "Ask O'Brien's team, don’t guess", '|ask o brien team |!¬ guess'],
    ['without the endings of owners', "It's Ada's branch's owner", '|ada branch owner'],
    ['with its restrictions', 'Keep it only if asked', '|keep !only if ask'],
    ['with its orders to stop', 'STOP! Read.', '|!stop read'],
    ['with its code', 'Run `gh  pr list `, and wait ``x``.', '|run =`gh pr list |wait =`x'],
    ['with code that looks like a joint', '`and` close, `First`', '|=`and clos |=`First'],
    ['with code that looks like an opening', '`First` and close', '|=`First |clos'],
    ['with the numbers of its counts', 'Wait 3-days or 60 days.', '|wait =3 day or =60 day'],
    ['with other numbers as written', 'Wait 3-4 days, 3-, x-3, 12-Tests', '|wait =3-4 day |=3- |=x-3 |=12 test'],
    ['with its addresses and paths', 'Go to https://a.example/x, then a.b or c:d', '|go =https://a.example/x |=a.b or =c:d'],
    ['with its flags', '--force, -f, -force --3', '|=--force |=-f |=-force =--3'],
    ['with one word for each and every', 'Each step, every step; release releases, bee', '|every step |every step |releas releas |bee'],
    ['with its question', 'Is it done?', '|don ?'],
    ['with a question of another script', '¿Listo؟', '|listo ?'],
    ['without a question inside', 'Is it done? yes', '|don yes'],
    ['as nothing if it is a mark', '?', ''],
    ['by its clauses', '(one) [two] | three • four … five, - six; (seven) eight: nine', '|one |two |thre four fiv |six |seven |eight |nin'],
    ['by clauses at dashes', 'one [two] three) four — five – six', '|one two |thre |four |fiv |six'],
    ['without quotation marks and emphasis', '"Quoted!" *and* _then_ (x)...', '|quot and then x'],
    [
      'with the symbols inside its words',
      'x_y a@b 5% $HOME ~x ^y <z> {a} a|b a+b a#b a&b a=b a*b \\w',
      '|=x_y =a@b =5% =$HOME =~x =^y =<z> =a|b =a+b =a#b =a&b =a=b =a*b =\\w',
    ],
    ['in German', 'Close it und öffne danach die Datei.', '|clos |öffn danach datei'],
    ['in Russian', 'Затем закрой', '|закрой'],
  ])('%s: %s', (_, sentence, tokens) => {
    expect(tokensIn(sentence)).toBe(tokens)
  })
})

it('a statement is also found by its text without marks and case', () => {
  const [statement] = statementsOfMarkdown('Close the *Draft* of  “X” now!.', new Map())
  expect(statement && keysOf(statement)).toEqual(['clos draft x now', 'plain close the draft of x now'])
  expect(statementsOfCode('a')[0]).toSatisfy((code) => keysOf(code).join() === 'code a')
})

it('each line of a file of code is a step', () => {
  const statements = statementsOfCode('a  \r\n\n  \n b\n')
  const shared = { kind: 'code', tokens: [], hidden: false, headings: [], turnedBy: 0, lead: undefined, warning: undefined }
  expect(statements).toEqual([
    { ...shared, text: 'a', key: 'code a', line: 1, sequence: {} },
    { ...shared, text: ' b', key: 'code  b', line: 4, sequence: {} },
  ])
  expect(statements[0]?.sequence).toBe(statements[1]?.sequence)
})
