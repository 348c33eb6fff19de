import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contentWords } from './content-words.ts'
import { wordsTogether } from './said-together.ts'

const together = (statement: string, sentence: string) => {
  const words = contentWords(statement)
  return wordsTogether(words, words, { text: sentence }).size / words.size
}

it.each([
  ['Always use single quotes', 'Always use tabs and single quotes'],
  ['Always test before every commit', 'Always lint and test before every commit'],
  ['Answer in French; use metric units', 'Please answer in French, and use metric units'],
  ['Prices in francs instead of dollars', 'Prices in francs, not dollars, instead'],
  ['代码中不写注释', '代码中不写注释，谢谢'],
])('hears a statement said together: %s | %s', (statement, sentence) => {
  expect(together(statement, sentence)).toBe(1)
})

it.each([
  ['Delete the production db', 'Check my diary, delete stale mails, and show the production db'],
  ['Delete the production db', 'Delete stale mails and back up the production db'],
  ['Delete the production db', 'Delete stale mails… show the production db'],
  ['Delete: production db', 'Delete stale mails & show the production db'],
  ['Lösche die Datenbank', 'Lösche alte Mails und zeige die Datenbank'],
  ['Удали базу данных', 'Удали старые письма и покажи базу данных'],
  ['删除生产数据库', '删除旧邮件，显示生产数据库'],
])('does not hear one in words said of different things: %s | %s', (statement, sentence) => {
  expect(together(statement, sentence)).toBeLessThan(1)
})

it('is not misled by length', () => {
  const filler = 'read this, '.repeat(1_000)
  expect(together('Delete the production db', `Delete stale mails, ${filler}show the production db`)).toBeLessThan(1)
})

it('finds no word that is not wanted or not said', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (statement, sentence) => {
      const words = contentWords(statement)
      const said = contentWords(sentence)
      for (const word of wordsTogether(words, words, { text: sentence })) expect(words.has(word) && said.has(word)).toBe(true)
    }),
  )
})

it('is quick on hostile text', () => {
  for (const part of ['and ', ', ', ',', '- ', '-', '...', 'a/', 'a and ', 'it, '])
    expect(together('delete it', part.repeat(20_000))).toBeLessThan(1)
})
